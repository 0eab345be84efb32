"""How a network learns Tractor: under the default rules, at all levels."""

from renege.games.training import House, Training

TRAINING = Training((House((), 1, unit=2.0),), trace=0.97, deal_length=170)
