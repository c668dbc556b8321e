/** The classes of octets that start lines and fields are made of. What is not in a class is 0 there. */

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

const LETTERS = [...range(0x41, 0x5a), ...range(0x61, 0x7a)];
/** An octet of a token in lower case (rfc9110#5.6.2); 0 for all others. */
export const LOWER: Uint8Array = classOf([...LETTERS, ...range(0x30, 0x39), ...[..."!#$%&'*+-.^_`|~"].map((c) => c.charCodeAt(0))]).map(
  (octet) => (octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet),
);
/** What may stand in a field value: HTAB, SP, VCHAR, obs-text (rfc9110#5.5). */
export const VALUE: Uint8Array = classOf([HTAB, ...range(0x20, 0x7e), ...range(0x80, 0xff)]);
/** What may stand in a request target: the characters of a URI without fragment (rfc9112#3.2, rfc3986#2). */
export const TARGET: Uint8Array = classOf(range(0x21, 0x7e).filter((octet) => !'#"<>\\^`{|}'.includes(String.fromCharCode(octet))));

/** The value of a hexadecimal digit; 255 for all other octets. */
export const HEX: Uint8Array = new Uint8Array(256).fill(255);
for (const [i, digit] of [..."0123456789abcdef"].entries()) {
  HEX[digit.charCodeAt(0)] = i;
  HEX[digit.toUpperCase().charCodeAt(0)] = i;
}
