/** How this browser likes the table: kept in local storage, and never sent anywhere but as `lang`. */
import type { Language } from "./wire";

export interface Prefs {
  language: Language;
  theme: "auto" | "light" | "dark";
  fourColours: boolean;
  /** `plain` shows large indices, `full` the pips of a printed card. */
  face: "plain" | "full";
  /** Milliseconds before a bot acts, for tables that are made from here. */
  pace: number;
  reversedHand: boolean;
  /** Pass by itself where that is all there is to say. */
  passes: boolean;
  name: string;
}

const KEY = "renege.prefs";

function firstLanguage(): Language {
  const wanted = typeof navigator === "undefined" ? [] : navigator.languages;
  return wanted.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? "en";
}

export function isLanguage(tag: string): tag is Language {
  return tag === "en" || tag === "de" || tag === "zh";
}

function kept(): Partial<Prefs> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return found !== null && typeof found === "object" ? found : {};
  } catch {
    return {}; // no storage, or something else under that key: begin afresh
  }
}

export const prefs: Prefs = $state({
  language: firstLanguage(),
  theme: "auto",
  fourColours: false,
  face: "plain",
  pace: 700,
  reversedHand: false,
  passes: true,
  name: "",
  ...kept(),
});

/** Keeps the preferences and shows them on the document, for as long as the page lives. */
export function keepPrefs(): void {
  $effect.root(() => {
    $effect(() => {
      try {
        localStorage.setItem(KEY, JSON.stringify(prefs));
      } catch {
        // private windows may refuse; the choice then lasts until the page is closed
      }
    });
    $effect(() => {
      document.documentElement.lang = prefs.language === "zh" ? "zh-Hans" : prefs.language;
      if (prefs.theme === "auto") delete document.documentElement.dataset["theme"];
      else document.documentElement.dataset["theme"] = prefs.theme;
    });
  });
}
