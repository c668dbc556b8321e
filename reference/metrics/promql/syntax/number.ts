/** An underscore is allowed between two digits or after the prefix of a hexadecimal number (Prometheus docs, querying/basics.md, "Float literals and time durations"). */
const HEXADECIMAL = /^0[xX](?:_?[0-9a-fA-F])+$/;
const DIGITS = "\\d(?:_?\\d)*";
const DECIMAL = new RegExp(`^(?:${DIGITS}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})(?:[eE][-+]?${DIGITS})?$`);

/** Whether a text has the form of a decimal number of any size. */
export const isDecimal = (text: string): boolean => DECIMAL.test(text);

/** The value of an unsigned number: decimal, hexadecimal, `Inf` or `NaN` in any case. Undefined if it is not a number or no float can hold it. */
export function readNumber(text: string): number | undefined {
  const word = text.toLowerCase();
  if (word === "inf") return Number.POSITIVE_INFINITY;
  if (word === "nan") return Number.NaN;
  if (!HEXADECIMAL.test(text) && !DECIMAL.test(text)) return undefined;
  const value = Number(text.replaceAll("_", ""));
  return Number.isFinite(value) ? value : undefined;
}

/** The shortest digits that parse to the same float, without an exponent: `100000`, `0.0000001`, `+Inf`. Also the format of samples in the API (Prometheus docs, querying/api.md, "Expression query result formats"). */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  if (value === Number.NEGATIVE_INFINITY) return "-Inf";
  if (Object.is(value, -0)) return "-0";
  const short = String(value);
  return short.includes("e") ? unfolded(short) : short;
}

/** `1.5e-7` as `0.00000015`. */
function unfolded(short: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = ""] = /^(-?)(\d)(?:\.(\d+))?e([-+]\d+)$/.exec(short) ?? [];
  const digits = whole + fraction;
  const point = 1 + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return `${sign}${digits}${"0".repeat(point - digits.length)}`;
}
