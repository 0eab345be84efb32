"""The games in OpenSpiel: registered when this module is imported, as `renege_texas42`, `renege_texas42_small`, ...

    import pyspiel, renege.adapters.openspiel
    game = pyspiel.load_game("renege_texas42_small(pips=3,hand=2,bid=6)")

House rules and sizes are parameters, by the names and values that records have. `deal=cards` deals a card at a chance
node, one hand after the other; `deal=whole` has one chance node with all deals, where they can be listed. `payoff` is
`difference`, what a side wins less what the other does, or `score`, the game's own reckoning. Games whose names end in
`_v1` show rows of version 1, and chance says first who deals.

`resample_from_infostate` draws from the exact belief of a seat. OpenSpiel's C++ `MCTSBot.step` and `ISMCTSBot.step`
crash on every game that is defined in Python; `docs/adapters.md` says what to use.
"""

from base64 import b64encode
from dataclasses import fields, is_dataclass
from enum import Enum
from pickle import dumps
from typing import Any

from renege.adapters import encoded_games, framework
from renege.adapters.deal_state import CHANCE, DEALS, DealState, GameSetup
from renege.adapters.efg import efg
from renege.adapters.seated import Seated
from renege.adapters.spiel_observer import Observer
from renege.agents import Agent
from renege.core.game import Standing
from renege.envs import find
from renege.envs.registry import VERSION
from renege.games.encoding import encoding_of
from renege.games.rows import VERSIONS, Rows
from renege.games.small import gains

spiel: Any = framework("pyspiel", "OpenSpiel")

PAYOFFS = ("difference", "score")
OWN = {"deal": DEALS[0], "payoff": PAYOFFS[0]}  # parameters that are no house rules
NO_FIELDS = b64encode(dumps({})).decode()
BITS = 53  # of a number between 0 and 1


def spiel_name(name: str, version: int = VERSION) -> str:
    """The name of a game in OpenSpiel: `renege_texas42_small`, `renege_texas42_small_v1`."""
    return f"renege_{name.replace('-', '_')}{f'_v{version}' if version else ''}"


class RenegeGame(spiel.Game):
    """A game of ours under its house rules; each has a class of its own, with its name."""

    ours, version = "", VERSION

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        name, usual = self.ours, defaults(self.ours)
        given = usual | (params or {})
        other = {key: value for key, value in given.items() if str(value) != str(usual[key])}
        deal, self.payoff = str(given["deal"]), str(given["payoff"])
        if self.payoff not in PAYOFFS:
            raise ValueError(f"payoff is {self.payoff!r}; it is one of {' '.join(PAYOFFS)}")
        rules = {key: str(value) for key, value in other.items() if key not in OWN}
        self.table = GameSetup(encoding_of(find(name, rules), Rows(self.version)), deal)
        encoding = self.table.encoding
        low, high = encoding.worth()
        if self.payoff == "difference" and low >= 0:
            low, high = low - high, high - low
        info = spiel.GameInfo(
            num_distinct_actions=len(encoding.actions),
            max_chance_outcomes=max(
                len(self.table.every) if deal == "whole" else encoding.cards, self.table.most_draws[1]
            ),
            num_players=self.table.game.players,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if self.payoff == "difference" else None,
            max_game_length=encoding.longest(),
        )
        spiel.Game.__init__(self, _type(name, self.version, self.payoff, self.table.game.players), info, other)

    def __reduce__(self) -> tuple[Any, ...]:
        return spiel.load_game, (str(self),)

    def new_initial_state(self) -> "RenegeState":
        return RenegeState(self, self.table.start())

    def max_chance_nodes_in_history(self) -> int:
        return self.table.most_draws[0] + (1 if self.table.deal == "whole" else self.table.dealt)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> Observer:
        """Shows what the type asks for; without one, the observation of a seat."""
        if params:
            raise ValueError(f"observers of {self} take no parameters, and these were given: {params}")
        asked = iig_obs_type or spiel.IIGObservationType(perfect_recall=False)
        whose = {
            spiel.PrivateInfoType.NONE: "none",
            spiel.PrivateInfoType.SINGLE_PLAYER: "single",
            spiel.PrivateInfoType.ALL_PLAYERS: "all",
        }[asked.private_info]
        return Observer(self.table, recall=asked.perfect_recall, public=asked.public_info, private=whose)

    def state_at(self, place: DealState) -> "RenegeState":
        """A state with this history and place; the actions are not replayed."""
        history = ",".join([f"{player}:{action}" for player, action in place.history])
        state = self.deserialize_state(f"history={history}\nmove_number={len(place.history)}\n__dict__={NO_FIELDS}")
        state.place = place
        return state


def unfolded(game: RenegeGame) -> Any:
    """The game as an explicit tree inside OpenSpiel, for games dealt at once: CFR on it is a thousand times as fast."""
    return spiel.load_efg_game(efg(game.table, game.payoff))


class RenegeState(spiel.State):
    """A state of OpenSpiel: an immutable `DealState`, so that cloning is cheap."""

    def __init__(self, game: RenegeGame, place: DealState) -> None:
        spiel.State.__init__(self, game)
        self.place = place

    def current_player(self) -> int:
        return self.place.player

    def is_terminal(self) -> bool:
        return self.place.moment is not None and self.place.moment.over

    def _legal_actions(self, player: int) -> list[int]:
        return [] if self.place.moment is None else list(self.place.moment.legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.place.chances

    def _apply_action(self, action: int) -> None:
        self.place = self.place.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        table = self.place.table
        if player != CHANCE:
            return table.encoding.actions[action]
        if not self.place.stands:
            draws = (*self.place.draws, action)
            standing = table.encoding.draws(draws)
            if not isinstance(standing, Standing):
                return f"draw {len(draws)}: {action}"
            return f"dealer {standing.dealer} score {' '.join(map(str, standing.score))}"
        return f"deal {action}" if table.deal == "whole" else table.game.deck.names[action]

    def returns(self) -> list[float]:
        moment = self.place.moment
        if moment is None or not moment.over:
            return [0.0] * self.place.table.game.players
        score = moment.rewards
        sides = self.place.table.encoding.has_sides
        return list(gains(score, sides=sides) if self.get_game().payoff == "difference" else map(float, score))

    def __str__(self) -> str:
        return Observer.state_text(self.place)

    def resample_from_infostate(self, player: int, rng: Any) -> "RenegeState":
        """A state that this seat cannot tell from this one; all that fit what it has seen are equally likely.

        `rng` gives numbers from 0 to 1 when it is called, as OpenSpiel's samplers do, or has a method `random`.
        """
        number: Any = rng() if callable(rng) else rng.random()
        return self.get_game().state_at(self.place.resampled(player, int(number * 2**BITS)))

    # -- the same as dictionaries, for `to_json`

    def _to_struct(self) -> dict[str, Any]:
        place = self.place
        hands = [str(place.hand(seat)) for seat in place.table.game.all_seats]
        acts = [{"seat": told.seat, "what": told.heard[told.seat]} for told in place.told]
        return {"dealt": hands, "acts": acts, "picked": list(place.picked), "player": place.player}

    def _action_to_struct(self, player: int, action: int) -> dict[str, str]:
        return {"action": self._action_to_string(player, action)}


class AgentBot(spiel.Bot):
    """An agent of ours as a bot of OpenSpiel: `AgentBot("searcher:30w", seat=0)`. It sees what its seat has seen."""

    def __init__(self, agent: Agent | str, seat: int, seed: int = 0) -> None:
        spiel.Bot.__init__(self)
        self.seat, self._seed = seat, seed
        self._seated = Seated(agent, seed)

    def player_id(self) -> int:
        return self.seat

    def step(self, state: RenegeState) -> int:
        assert state.place.moment is not None
        return self._seated.action(state.place.moment)

    def restart_at(self, state: RenegeState) -> None:
        """Nothing is remembered from one deal to the next."""

    def restart(self) -> None:
        """The same."""


def defaults(name: str) -> dict[str, Any]:
    """The parameters of a game with their defaults: its house rules, how it is dealt, and what is paid."""
    rules = find(name).rules
    found: dict[str, Any] = dict(OWN)
    for field in fields(rules) if is_dataclass(rules) else ():
        value = getattr(rules, field.name)
        found[field.name] = str(value.value) if isinstance(value, Enum) else value
    return found


def _type(name: str, version: int, payoff: str, players: int) -> Any:
    kinds = spiel.GameType
    return kinds(
        short_name=spiel_name(name, version),
        long_name=f"Renege {name}{f', version {version}' if version else ''}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if payoff == "difference" else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=defaults(name),
    )


def register(name: str) -> str:
    """Makes a game known to OpenSpiel in all versions; its name there in version 0."""
    for version in VERSIONS:
        theirs = spiel_name(name, version)
        # a class and not a function: OpenSpiel lets go of it after Python has ended, when nothing may be freed any more
        own = {"ours": name, "version": version}
        spiel.register_game(_type(name, version, PAYOFFS[0], find(name).players), type(theirs, (RenegeGame,), own))
    return spiel_name(name)


NAMES = {name: register(name) for name in encoded_games()}
"""The games that come with Renege: our name of each, and OpenSpiel's in version 0."""
