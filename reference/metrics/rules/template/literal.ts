import { Int, TemplateFault, type Value } from "./values.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  '"': '"',
  "'": "'",
};
const ESCAPE = /\\(?:([abfnrtv\\"'])|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})|(.))/gsu;

/** The text between quotes; between backquotes nothing is an escape. Throws `TemplateFault`. */
export function textOf(quoted: string, line: number): string {
  const inner = quoted.slice(1, -1);
  if (quoted.startsWith("`")) return inner;
  // oxlint-disable-next-line max-params -- the groups of the pattern
  return inner.replaceAll(ESCAPE, (_, sign?: string, hex?: string, short?: string, long?: string, octal?: string) => {
    // Each kind of quote is escaped only between its own.
    if ((sign === "'" || sign === '"') && sign !== quoted[0]) throw new TemplateFault(`${quoted} has an escape that is invalid`, line);
    if (sign !== undefined) return ESCAPES[sign] ?? sign;
    const code = octal === undefined ? Number.parseInt(hex ?? short ?? long ?? "", 16) : Number.parseInt(octal, 8);
    if (!(code <= 0x10_ffff)) throw new TemplateFault(`${quoted} has an escape that is invalid`, line);
    return String.fromCodePoint(code);
  });
}

/** The value of a literal: a number with a point or an exponent is a float, any other an int. */
export function literalOf(is: "string" | "char" | "number", text: string, line: number): Value {
  if (is === "string") return textOf(text, line);
  if (is === "char") {
    const code = textOf(text, line).codePointAt(0);
    if (code === undefined || [...textOf(text, line)].length !== 1) throw new TemplateFault(`${text} is not one character`, line);
    return new Int(code);
  }
  const digits = text.replaceAll("_", "").replace(/^\+/, "");
  const size = digits.replace(/^-/, "");
  const value = (digits.startsWith("-") ? -1 : 1) * (/^0\d+$/.test(size) ? Number.parseInt(size, 8) : Number(size));
  if (Number.isNaN(value) || /^0\d*[89]\d*$/.test(size) || /__|_$/.test(text)) throw new TemplateFault(`${text} is not a number`, line);
  const isWhole = /^0[xXbBoO]/.test(size) || !/[.eE]/.test(size);
  if (isWhole && Math.abs(value) >= 2 ** 63) throw new TemplateFault(`${text} overflows int`, line);
  return isWhole ? new Int(value) : value;
}
