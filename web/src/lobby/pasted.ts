/** What the page does with the answers to a pasted file. */
import type { Answer } from "../wire";

/** The most characters the server takes at once. */
export const MOST = 400_000;

/** Questions and answers as two columns for a spreadsheet: tabs and line ends inside become spaces. */
export const tsv = (answers: readonly Answer[]): string =>
  answers.map(({ asked, answer }) => [asked, answer].map((cell) => cell.replaceAll(/[\t\r\n]+/g, " ").trim()).join("\t") + "\n").join("");
