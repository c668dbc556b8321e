/** Escapes of one character in strings of contracts. */
const SIMPLE: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};
const OCTAL = /[0-7]{1,3}/y;
const HEX = /[xX]([0-9a-fA-F]{1,2})/y;
const UNICODE = /u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})/y;

/**
 * Reads the string that begins with the quote at `at`. Escapes of octets give characters up to U+00FF: what they mean is known only with the
 * type of the option.
 */
export function readString(text: string, at: number, problem: (at: number, message: string) => Error): { value: string; length: number } {
  const quote = text.charAt(at);
  const parts: string[] = [];
  let from = at + 1;
  for (let here = from; ; here += 1) {
    const character = text.charAt(here);
    if (character === "" || character === "\n") throw problem(at, "The string does not end on its line.");
    if (character === "\0") throw problem(here, "A string cannot contain the character NUL.");
    if (character !== quote && character !== "\\") continue;
    parts.push(text.slice(from, here));
    if (character === quote) return { value: parts.join(""), length: here + 1 - at };
    const { value, length } = readEscape(text, here + 1) ?? {};
    if (value === undefined || length === undefined) throw problem(here, `"${text.slice(here, here + 2)}" is not an escape.`);
    parts.push(value);
    here += length;
    from = here + 1;
  }
}

function readEscape(text: string, at: number): { value: string; length: number } | undefined {
  const simple = SIMPLE[text.charAt(at)];
  if (simple !== undefined) return { value: simple, length: 1 };
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const octal = match(OCTAL);
  if (octal !== null) return octet(Number.parseInt(octal[0], 8), octal[0].length);
  const hex = match(HEX);
  if (hex !== null) return octet(Number.parseInt(hex[1] ?? "", 16), hex[0].length);
  const unicode = match(UNICODE);
  if (unicode === null) return undefined;
  const point = Number.parseInt(unicode[1] ?? unicode[2] ?? "", 16);
  return point > 0x10_ffff ? undefined : { value: String.fromCodePoint(point), length: unicode[0].length };
}
const octet = (value: number, length: number): { value: string; length: number } | undefined =>
  value > 0xff ? undefined : { value: String.fromCharCode(value), length };
