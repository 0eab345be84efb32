/**
 * What the page says, in three languages. Texts come from the catalogues that Python reads too; English stands in where
 * a translation is missing. Reading `t(...)` in a template follows the language when it is changed.
 */
import { cardsOfGame, split } from "./cards";
import { hasTiles, printOf } from "./looks";
import { prefs } from "./prefs.svelte";
import type { GameName, Language } from "./wire";

type Section = Record<string, string>;
const pages = import.meta.glob<Section>("../../src/renege/i18n/*.json", { eager: true, import: "page" });
const cards = import.meta.glob<Section>("../../src/renege/i18n/*.json", { eager: true, import: "cards" });

export type Slots = Record<string, string | number>;

function found(sections: Record<string, Section>, key: string, language: Language): string | undefined {
  return sections[`../../src/renege/i18n/${language}.json`]?.[key];
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

/** The same in the words of a game, where it has its own: `review.declarer.tractor` is the banker. */
export function tell(key: string, game: GameName, slots: Slots = {}, language: Language = prefs.language): string {
  const own = `${key}.${game}`;
  return t(found(pages, own, "en") === undefined ? key : own, slots, language);
}

/** What stands by itself begins with a capital. */
export const sentence = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** The languages, each by its own name and as a document says which it is in. */
export const LANGUAGES: readonly { code: Language; tag: string; name: string }[] = [
  { code: "en", tag: "en", name: "English" },
  { code: "de", tag: "de", name: "Deutsch" },
  { code: "zh", tag: "zh-Hans", name: "中文" },
];

// -- cards

export const FRENCH = { S: "♠", H: "♥", D: "♦", C: "♣" } as const;

/** A card as one says it: "king of hearts", "Herz-König", "红桃K"; for people who hear the page. */
export function cardName(card: string, game: GameName, language: Language = prefs.language): string {
  const say = (key: string, slots: Slots = {}) => fill(cards, key, slots, language);
  if (hasTiles(game)) {
    const [high = "", low = ""] = card.split("-");
    return high === low ? say("card.double", { end: high }) : say("card.tile", { high, low });
  }
  const { suit, rank } = split(card);
  if (!suit) return say(`card.${card}`);
  const deck = printOf(game);
  return say(`card.${deck}`, { suit: say(`card.${deck}.${suit}`), rank: say(`card.${deck}.${rank}`) });
}

/** A printed suit in words: hearts, Eichel, 黑桃. */
export function suitName(suit: string, game: GameName, language: Language = prefs.language): string {
  return fill(cards, `card.${printOf(game)}.${suit}`, {}, language);
}

/** A text of the server as one reads it: cards with their suit glyphs, and German ones by name. */
export function pretty(text: string, game: GameName, language: Language = prefs.language): string {
  if (hasTiles(game)) return text;
  return text.replace(cardsOfGame(game), (card) => {
    const { suit, rank } = split(card);
    if (printOf(game) === "german") return cardName(card, game, language);
    return isFrench(suit) ? FRENCH[suit] + (rank === "T" ? "10" : rank) : cardName(card, game, language);
  });
}

/** A text of the server as one hears it: every card by its name. */
export function spoken(text: string, game: GameName, language: Language = prefs.language): string {
  return text.replace(cardsOfGame(game), (card) => cardName(card, game, language));
}

function isFrench(suit: string): suit is keyof typeof FRENCH {
  return suit in FRENCH;
}
