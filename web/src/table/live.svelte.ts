/** A table as this page follows it: the newest state, what happened, what was refused, and what is said aloud. */
import { prefersReducedMotion } from "svelte/motion";
import { address } from "../api";
import { foreknown, newSalt, remember } from "../fair";
import { connect, type Line } from "../socket";
import type { Event, FromPage, GameName, Moved, Refusal, Seat, State, ToPage, TrickShown } from "../wire";
import { spoken, t } from "../words";

import { completed, fresh, listed, mixed } from "./view";
import { learn } from "../looks";

const HOLD = 1_200; // how long a completed trick stays on the table
const TICK = 500;
const DEALING = 3_000; // how long the cards of a deal of Tractor take to arrive

export class Live {
  state = $state.raw<State>();
  /** The events of this deal, the oldest first. */
  events = $state.raw<Event[]>([]);
  refusal = $state.raw<Refusal>();
  connected = $state(true);
  /** A completed trick that is still to be seen. */
  held = $state.raw<TrickShown>();
  /** What a screen reader says next. */
  said = $state("");
  /** The event after which something was last sent from here. */
  acted = -1;
  /** How many cards of a new deal have arrived; undefined when all have. */
  arrived = $state<number>();
  /** What the server's watch shows, second by second. */
  moment = $state(Date.now() / 1000);

  readonly trick = $derived(this.held ?? this.state?.trick ?? null);
  /** In which order the cards of a new deal arrive: the place of each card of the hand. */
  readonly arrival = $derived(mixed(this.state?.hand.length ?? 0, (this.state?.deal ?? 0) + 1));

  #line: Line | undefined;
  #ahead = 0; // by how many seconds the server's watch is ahead of ours
  #watch: ReturnType<typeof setInterval> | undefined;
  #added = 0; // the deal to which a text was added over this line
  #hold: ReturnType<typeof setTimeout> | undefined;
  #deal: ReturnType<typeof setInterval> | undefined;

  constructor(
    readonly table: string,
    readonly seat: Seat | undefined,
    readonly token: string | undefined,
    readonly doubt: () => void,
  ) {}

  open(): void {
    this.events = []; // they are told again, perhaps in another language
    clearInterval(this.#watch);
    this.#watch = setInterval(() => this.#tick(), TICK);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.#line = connect({
      address: (after) =>
        `${scheme}//${location.host}${address(`/api/tables/${this.table}/ws`, { seat: this.seat, after, token: this.token })}`,
      heard: (message) => this.#hear(message),
      connected: (yes) => {
        if (!yes && this.connected) this.say(t("table.lost"));
        this.connected = yes;
        if (yes) this.#added = 0; // a server that was started anew has forgotten it
      },
      doubt: this.doubt,
    });
  }

  close(): void {
    this.#line?.close();
    this.#line = undefined;
    clearInterval(this.#watch);
    this.release();
    this.dealt();
  }

  /** Says or plays something, made for the state that is shown. */
  act(what: string): void {
    this.release();
    this.acted = this.state?.number ?? 0;
    this.#send({ type: "act", what, at: this.acted });
  }

  ask(type: "undo" | "claim" | "next" | "fill"): void {
    this.#send({ type, at: this.state?.number ?? 0 });
  }

  /** Says something that is about the people. */
  tell(message: Extract<FromPage, { type: "want_bot" | "back" | "free" | "reply" }>): void {
    this.#send(message);
  }

  #tick(): void {
    this.moment = Date.now() / 1000 + this.#ahead;
  }

  #send(message: FromPage): void {
    this.refusal = undefined;
    if (!this.#line?.send(message)) this.say(t("table.lost"));
  }

  /** Lets the completed trick go. */
  release(): void {
    clearTimeout(this.#hold);
    this.held = undefined;
  }

  /** Shows all cards of a new deal at once. */
  dealt(): void {
    clearInterval(this.#deal);
    this.arrived = undefined;
  }

  say(text: string): void {
    // the same words twice are said twice: a space at the end makes them another text
    this.said = text === this.said ? `${text} ` : text;
  }

  #hear(message: ToPage): void {
    if (message.type === "moved") this.#move(message);
    else if (message.type === "refused") this.refusal = message.why;
  }

  #move({ events, state, now }: Moved): void {
    learn(state);
    this.#ahead = now - Date.now() / 1000;
    this.#tick();
    const before = this.state;
    if (before && state.number < before.number) return;
    const known = this.events.filter((event) => event.deal === state.deal);
    const newest = known.at(-1)?.number ?? -1;
    const news = events.filter((event) => event.number > newest);
    this.events = [...known, ...news.filter((event) => event.deal === state.deal)];
    const moved = state.number !== before?.number;
    if (moved) this.refusal = undefined;
    this.state = state;
    this.#add(state);
    if (completed(before, state)) this.#keep(state.last_trick ?? undefined);
    else if (before && before.deal !== state.deal) this.release();
    if (state.look.dealt_slowly && (!before || before.deal !== state.deal || before.phase === "waiting")) this.#arrive(state);
    if (moved) this.#announce(before ? news : news.slice(-1), state);
  }

  /** This seat adds a text of its own to the next deal, once the table has committed itself to the secret. */
  #add({ table, deal, fair }: State): void {
    if (!fair?.next || this.seat === undefined || this.#added === deal + 1) return;
    remember(table, deal + 1, { commitment: fair.next, salt: newSalt() });
    const salt = foreknown(table, deal + 1)?.salt;
    if (salt !== undefined && this.#line?.send({ type: "salt", deal: deal + 1, salt })) this.#added = deal + 1;
  }

  #keep(trick: TrickShown | undefined): void {
    clearTimeout(this.#hold);
    this.held = trick;
    this.#hold = setTimeout(() => this.release(), HOLD);
  }

  /** The cards of a new deal come one after the other; whoever looks in later sees them all. */
  #arrive(state: State): void {
    this.dealt();
    if (prefersReducedMotion.current || !fresh(state) || state.hand.length === 0) return;
    this.arrived = 0;
    this.#deal = setInterval(() => {
      this.arrived = (this.arrived ?? 0) + 1;
      if (this.arrived >= state.hand.length) this.dealt();
    }, DEALING / state.hand.length);
  }

  #announce(news: Event[], state: State): void {
    const texts = news.map((event) => spoken(event.text, state.game)).filter((text) => text);
    if (state.result) texts.push(spoken(state.result.text, state.game));
    if (state.asked) texts.push(turnText(state));
    if (texts.length) this.say(texts.map((text) => (/[.!?。！？]$/.test(text) ? text : `${text}.`)).join(" "));
  }
}

/** "Your turn", and what is to be done; to be heard, or with `pretty` to be read. */
export function turnText(state: State, tell: (cards: string, game: GameName) => string = spoken): string {
  const lead = state.trick?.plays[0];
  const put = state.choose ?? state.compose;
  const todo = put
    ? put.text
    : state.phase === "talk"
      ? called(state, tell)
      : lead
        ? t("table.turn.follow", { cards: listed(lead.cards, state.game, tell) })
        : t("table.turn.lead");
  return t("table.turn", { todo });
}

/** What is to be said; where there is no choice, that. */
function called(state: State, tell: (text: string, game: GameName) => string): string {
  const wanted = state.asks ?? "call";
  const [only, other] = state.calls;
  if (!only || other || wanted === "take") return t(`table.turn.${wanted}`);
  return t("table.turn.only", { call: tell(only.text, state.game) });
}
