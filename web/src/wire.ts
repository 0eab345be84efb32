/**
 * What the server and the page say to each other, by name. The fields come from the server's OpenAPI (`npm run types`)
 * and are explained in `server/messages.py`, `teaching.py` and `lookback.py`.
 */
import type { components } from "./openapi";

type Schemas = components["schemas"];

export type GameName = State["game"];
export type Language = "en" | "de" | "zh";
export type Seat = number;
export type Level = "simple" | "middle" | "strong";
export type Phase = State["phase"];

// -- making a table, and sitting down
export type Choice = Schemas["Choice"];
export type HouseRule = Schemas["HouseRule"];
export type GameCard = Schemas["GameCard"];
export type Look = Schemas["Look"];
/** What is left out is as the server has it. */
export type NewTable = Partial<Schemas["NewTable"]> & Pick<Schemas["NewTable"], "game">;
export type Promised = Schemas["Promise"];
export type Seated = Schemas["Seated"];
export type Place = Schemas["Place"];
export type Clock = Schemas["Clock"];
export type ClockShown = Schemas["ClockShown"];
export type Recovery = Schemas["Recovery"];
export type RecoveryLink = Schemas["RecoveryLink"];
export type TableCard = Schemas["TableCard"];

// -- what a seat sees
export type HandCard = Schemas["HandCard"];
export type Call = Schemas["Call"];
export type Choose = Schemas["Choose"];
export type Compose = Schemas["Compose"];
export type NamedShown = Schemas["NamedShown"];
export type PlayShown = Schemas["PlayShown"];
export type TrickShown = Schemas["TrickShown"];
export type SeatShown = Schemas["SeatShown"];
export type ContractShown = Schemas["ContractShown"];
export type SheetLine = Schemas["SheetLine"];
export type Score = Schemas["Score"];
export type ResultShown = Schemas["ResultShown"];
export type State = Schemas["State"];
export type Event = Schemas["Event"];

// -- over the WebSocket
export type FromPage = Schemas["FromPage"];
export type Moved = Schemas["Moved"];
export type Refusal = Schemas["Refusal"];
export type Refused = Schemas["Refused"];
export type ToPage = Schemas["ToPage"];

// -- teaching
export type Unit = Schemas["Unit"];
export type Check = Schemas["Check"];
export type Estimate = Schemas["Estimate"];
export type Hint = Schemas["Hint"];
export type Liked = Schemas["Liked"];
export type Whereabouts = Schemas["Whereabouts"];
export type BeliefShown = Schemas["BeliefShown"];

// -- looking back
export type Step = Schemas["Step"];
export type Drawn = Schemas["Drawn"];
export type Invitation = Schemas["Invitation"];
export type Replay = Schemas["Replay"];
export type Judged = Schemas["Judged"];
export type Answer = Schemas["Answer"];
export type Recognised = Schemas["Recognised"];
export type Trouble = Schemas["Trouble"];
