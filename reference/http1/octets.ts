/** Classes of octets in start lines and fields: a table gives 0 for an octet that is not in its class. */

export const CR = 0x0d;
export const LF = 0x0a;
export const SP = 0x20;
export const HTAB = 0x09;
export const COLON = 0x3a;

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const classOf = (octets: readonly number[]): Uint8Array => {
  const table = new Uint8Array(256);
  for (const octet of octets) table[octet] = octet;
  return table;
};

const LETTERS: readonly number[] = [...range(0x41, 0x5a), ...range(0x61, 0x7a)];
/** The octets of a token, in lower case (rfc9110#5.6.2). */
export const LOWER: ArrayLike<number> = classOf([
  ...LETTERS,
  ...range(0x30, 0x39),
  ...[..."!#$%&'*+-.^_`|~"].map((c) => c.charCodeAt(0)),
]).map((octet) => (octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet));
/** The octets of a field value: HTAB, SP, VCHAR, obs-text (rfc9110#5.5). */
export const VALUE: ArrayLike<number> = classOf([HTAB, ...range(0x20, 0x7e), ...range(0x80, 0xff)]);
/** The octets of a request target: the characters of a URI without fragment (rfc9112#3.2, rfc3986#2). */
export const TARGET: ArrayLike<number> = classOf(range(0x21, 0x7e).filter((octet) => !'#"<>\\^`{|}'.includes(String.fromCharCode(octet))));

/** The value of a hexadecimal digit; 255 for all other octets. */
export const HEX: ArrayLike<number> = new Uint8Array(256).fill(255).map((_, octet) => {
  const digit = "0123456789abcdef".indexOf(String.fromCharCode(octet).toLowerCase());
  return digit < 0 ? 255 : digit;
});
