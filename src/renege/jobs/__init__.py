"""Work cut into pieces, and the crew that does them: this process, processes of this machine, or a Ray cluster."""

from renege.jobs.outcome import LostWorker, PieceFailed
from renege.jobs.ray import NoCluster, check_cluster
from renege.jobs.run import Pace, cores, run_pieces

__all__ = ["LostWorker", "NoCluster", "Pace", "PieceFailed", "check_cluster", "cores", "run_pieces"]
