"""Random cases by the hundred where `RENEGE_SOAK` asks for them."""

from hypothesis import settings

from steering import SOAK

settings.register_profile("renege", deadline=None, max_examples=60 * SOAK)
settings.load_profile("renege")
