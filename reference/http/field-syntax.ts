/** The octets of field names and values (rfc9110#5). Characters above 0xff are refused: they cannot come from the wire. */

const TOKEN = 1;
const LOWER = 2;
const VALUE = 4;
const TARGET = 8;

/** A bit for each class of octets. */
const CLASS: ArrayLike<number> = (() => {
  const table = new Uint8Array(256);
  const mark = (bit: number, octets: Iterable<number>): void => {
    for (const octet of octets) table[octet]! |= bit;
  };
  const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const letters = [...range(0x41, 0x5a), ...range(0x61, 0x7a)];
  const token = [...letters, ...range(0x30, 0x39), ...[..."!#$%&'*+-.^_`|~"].map((c) => c.charCodeAt(0))];
  mark(TOKEN, token);
  mark(
    LOWER,
    token.filter((octet) => octet < 0x41 || octet > 0x5a),
  );
  // rfc9110#5.5 allows HTAB, SP, VCHAR and obs-text; other controls are refused, as it advises for unknown fields.
  mark(VALUE, [0x09, ...range(0x20, 0x7e), ...range(0x80, 0xff)]);
  // No white space, control or number sign; octets above ASCII are accepted, since clients send them unescaped.
  mark(
    TARGET,
    [...range(0x21, 0x7e), ...range(0x80, 0xff)].filter((octet) => octet !== 0x23),
  );
  return table;
})();

function all(text: string, bit: number): boolean {
  for (let i = 0; i < text.length; i++) {
    if ((CLASS[text.charCodeAt(i)]! & bit) === 0) return false;
  }
  return true;
}

/** rfc9110#5.6.2. */
export const isToken = (text: string): boolean => text !== "" && all(text, TOKEN);
/** A field name as HTTP/2 and HTTP/3 write it: a token without upper case (rfc9113#8.2.1). */
export const isLowerToken = (text: string): boolean => text !== "" && all(text, LOWER);
/** A field value: no control except HTAB, and no white space at either end (rfc9110#5.5, rfc9113#8.2.1). */
export function isFieldValue(text: string): boolean {
  const last = text.length - 1;
  if (last < 0) return true;
  const head = text.charCodeAt(0);
  const tail = text.charCodeAt(last);
  if (head === 0x20 || head === 0x09 || tail === 0x20 || tail === 0x09) return false;
  return all(text, VALUE);
}
/** Whether the characters may be part of a path with its query. */
export const isTarget = (text: string): boolean => all(text, TARGET);
/** rfc3986#3.1. */
export const isScheme = (text: string): boolean => text === "https" || text === "http" || /^[A-Za-z][A-Za-z0-9+.-]*$/.test(text);

/** Parses decimal digits, as in content-length (rfc9110#8.6); -1 for anything else, and for numbers beyond 15 digits. */
export function parseDecimal(text: string): number {
  if (text === "" || text.length > 15) return -1;
  let value = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/**
 * The members of a comma-separated list of tokens, in lower case (rfc9110#5.6.1), without the empty ones, which a recipient must ignore.
 * Undefined if a member is not a token.
 */
export function parseTokens(text: string): readonly string[] | undefined {
  const members: string[] = [];
  for (const part of text.split(",")) {
    const member = trimSpace(part);
    if (member === "") continue;
    if (!isToken(member)) return undefined;
    members.push(member.toLowerCase());
  }
  return members;
}

/** Removes the spaces and tabs around a text (OWS, rfc9110#5.6.3). */
export function trimSpace(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}
const isSpace = (code: number): boolean => code === 0x20 || code === 0x09;

const TOKEN_TEXT = String.raw`[!#$%&'*+.^_\x60|~0-9A-Za-z-]+`;
/** A quoted-string (rfc9110#5.6.4). */
const QUOTED = String.raw`"(?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*"`;
const PARAMETERS = new RegExp(String.raw`^(?:[ \t]*;[ \t]*${TOKEN_TEXT}(?:[ \t]*=[ \t]*(?:${TOKEN_TEXT}|${QUOTED}))?)*$`);

/** Any number of `;name`, `;name=token` or `;name="text"`, with white space around the signs: chunk extensions (rfc9112#7.1.1). */
export const isParameters = (text: string): boolean => PARAMETERS.test(text);
