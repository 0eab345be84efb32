/** Numbers as a person reads them. */
import type { Language } from "../wire";

const LONG = 15; // digits up to which a number is read as it is

/** A whole number of any length with its digits in groups. */
export const grouped = (digits: string, language: Language): string => BigInt(digits).toLocaleString(language);

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A long number as so many times a power of ten, `4.2 × 10²⁵`; undefined where it is short enough to be read. */
export function about(digits: string, language: Language): string | undefined {
  const plain = digits.replace(/^0+(?=\d)/, "");
  if (plain.length <= LONG) return undefined;
  const scaled = Number(`${plain[0] ?? "0"}.${plain.slice(1, 18)}`);
  const [mantissa, power] = scaled >= 9.95 ? [1, plain.length] : [scaled, plain.length - 1];
  const raised = String(power).replaceAll(/\d/g, (digit) => RAISED[Number(digit)] ?? digit);
  return `${decimal(mantissa, language, 1)} × 10${raised}`;
}

/** A decimal number with so many places. */
export const decimal = (value: number, language: Language, places = 1): string =>
  new Intl.NumberFormat(language, { minimumFractionDigits: places, maximumFractionDigits: places, signDisplay: "negative" }).format(value);

/** A number without a tail of zeros: a cost or a count of points. */
export const amount = (value: number, language: Language): string =>
  new Intl.NumberFormat(language, { maximumFractionDigits: 1, signDisplay: "negative" }).format(value);

/** How likely, in percent; what is possible is never shown as 0, and what is not certain never as 100. */
export function percent(chance: number, language: Language): string {
  const form = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
  if (chance > 0 && chance < 0.005) return `<${form.format(0.01)}`;
  if (chance < 1 && chance > 0.995) return `>${form.format(0.99)}`;
  return form.format(chance);
}
