"""Jobs: work cut into pieces, done by this process, a pool of worker processes or a Ray cluster, and resumable."""

from renege.jobs.outcome import LostWorker, PieceFailed
from renege.jobs.ray import NoCluster, check_cluster
from renege.jobs.run import Pace, cores, run_pieces

__all__ = ["LostWorker", "NoCluster", "Pace", "PieceFailed", "check_cluster", "cores", "run_pieces"]
