"""The seed paper's study, measured: its method as published, its experiment, and how ours compares."""
