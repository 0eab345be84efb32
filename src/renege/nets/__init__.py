"""Trained networks: the files that the package ships, one a game, and playing by them; PyTorch has no part in it."""

from renege.nets.file import NetFile, NoNetwork, find_net, read_net, write_net
from renege.nets.likes import Likes

__all__ = ["Likes", "NetFile", "NoNetwork", "find_net", "read_net", "write_net"]
