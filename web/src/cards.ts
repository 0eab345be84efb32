/** How cards and tiles are spelled: `HK`, `S10`, `EO`, `BJ`, `6-4`. */
import { lookOf } from "./looks";
import type { GameName, Look } from "./wire";

const SPELLED: Record<Look["suits"], string> = {
  french: "[SHDC](?:[2-9TJQKA]|10)|LJ|BJ",
  german: "[EGHS][7-9UOKZA]",
  dominoes: "[0-6]-[0-6]",
};
const ANY = new RegExp(`^(?:${Object.values(SPELLED).join("|")})$`);

/** All cards of a game that stand in a text. */
export const cardsOfGame = (game: GameName): RegExp => new RegExp(String.raw`\b(?:${SPELLED[lookOf(game).suits]})\b`, "g");

/** Is a word a card, of whatever game? */
export const isCard = (word: string): boolean => ANY.test(word);

export const isTile = (card: string): boolean => card.includes("-");
export const isJoker = (card: string): boolean => card === "LJ" || card === "BJ";

/** A card's printed suit and rank: `HK` is H and K. A joker has no suit; a tile has two ends and no suit. */
export function split(card: string): { suit: string; rank: string } {
  return isJoker(card) || isTile(card) ? { suit: "", rank: card } : { suit: card.slice(0, 1), rank: card.slice(1) };
}
