"""The path tracer: the marcher's scenes under light that bounces, as mitsuba traces it."""
