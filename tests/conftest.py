from __future__ import annotations

from hypothesis import settings

# machines that also serve a table are slow now and then: time is measured in bench/, not here
settings.register_profile("upscore", deadline=None)
settings.load_profile("upscore")
