"""The study of the paper behind TRACTOR, measured: its method as published, its experiment, and how ours compares."""
