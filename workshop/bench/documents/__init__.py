"""What was measured, kept, put into tables and drawn."""
