/**
 * What the page says, in three languages. Texts come from the catalogues that Python reads too; English stands in where
 * a translation is missing. Reading `t(...)` in a template follows the language when it is changed.
 */
import { prefs } from "./prefs.svelte";
import type { GameName, Language } from "./wire";

type Section = Record<string, string>;
const pages = import.meta.glob<Section>("../../src/renege/words/*.json", { eager: true, import: "page" });
const cards = import.meta.glob<Section>("../../src/renege/words/*.json", { eager: true, import: "cards" });

export type Slots = Record<string, string | number>;

function found(sections: Record<string, Section>, key: string, language: Language): string | undefined {
  return sections[`../../src/renege/words/${language}.json`]?.[key];
}

/** The text of a key, its `{slots}` filled in. An unknown key is shown as it is. */
function fill(sections: Record<string, Section>, key: string, slots: Slots, language: Language): string {
  const text = found(sections, key, language) ?? found(sections, key, "en") ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(slots[name] ?? whole));
}

/** A text of the page. */
export function t(key: string, slots: Slots = {}, language: Language = prefs.language): string {
  return fill(pages, key, slots, language);
}

// -- cards

export const FRENCH = { S: "♠", H: "♥", D: "♦", C: "♣" } as const;

/** A card's printed suit and rank: `HK` is H and K. A joker has no suit; a domino has two ends and no suit. */
export function printed(card: string): { suit: string; rank: string } {
  if (card === "LJ" || card === "BJ" || card.includes("-")) return { suit: "", rank: card };
  return { suit: card.slice(0, 1), rank: card.slice(1) };
}

/** A card as one says it: "king of hearts", "Herz-König", "红桃K"; for people who hear the page. */
export function cardName(card: string, game: GameName, language: Language = prefs.language): string {
  const say = (key: string, slots: Slots = {}) => fill(cards, key, slots, language);
  if (game === "texas42") {
    const [high = "", low = ""] = card.split("-");
    return high === low ? say("card.double", { end: high }) : say("card.tile", { high, low });
  }
  const { suit, rank } = printed(card);
  if (!suit) return say(`card.${card}`);
  const deck = game === "schafkopf" ? "german" : "french";
  return say(`card.${deck}`, { suit: say(`card.${deck}.${suit}`), rank: say(`card.${deck}.${rank}`) });
}

/** A printed suit in words: hearts, Eichel, 黑桃. */
export function suitName(suit: string, game: GameName, language: Language = prefs.language): string {
  return fill(cards, `card.${game === "schafkopf" ? "german" : "french"}.${suit}`, {}, language);
}

const FRENCH_CARD = /\b(?:[SHDC](?:[2-9TJQKA]|10)|LJ|BJ)\b/g;
const GERMAN_CARD = /\b[EGHS][7-9UOKZA]\b/g;
const TILE = /\b[0-6]-[0-6]\b/g;

/** A text of the server as one reads it: cards with their suit glyphs, and in Schafkopf by name. */
export function pretty(text: string, game: GameName, language: Language = prefs.language): string {
  if (game === "texas42") return text;
  if (game === "schafkopf") return text.replace(GERMAN_CARD, (card) => cardName(card, game, language));
  return text.replace(FRENCH_CARD, (card) => {
    const { suit, rank } = printed(card);
    return isFrench(suit) ? FRENCH[suit] + (rank === "T" ? "10" : rank) : cardName(card, game, language);
  });
}

/** A text of the server as one hears it: every card by its name. */
export function spoken(text: string, game: GameName, language: Language = prefs.language): string {
  const card = game === "texas42" ? TILE : game === "schafkopf" ? GERMAN_CARD : FRENCH_CARD;
  return text.replace(card, (found) => cardName(found, game, language));
}

function isFrench(suit: string): suit is keyof typeof FRENCH {
  return suit in FRENCH;
}
