"""The C++ kernel, typed: what runs a million times."""
