import { NOT_UTF8, comesBack, failsWith, first, framesOf, framesOnly, last, offering, open, send } from "../phrases.ts";
import { type Claim, ofServer } from "../claims.ts";
import type { FrameSpec } from "../../vocabulary.ts";

/** RFC 6455, section 8.1, in long text: readers check long payloads otherwise than short ones, in blocks or by a call of their platform. */

const LETTER = "61";
/** A character of two octets, so that no reader takes the text for ASCII. */
const ACCENT = "c3a9";
const FOUR = "f09f9880";
const letters = (count: number): string => LETTER.repeat(count);
const textHex = (hex: string, more: Partial<FrameSpec> = {}): FrameSpec => ({ opcode: "text", hex, ...more });
const grouped = (count: number): string => count.toLocaleString("en");

/** What is wrong at one place of a long text, and as many octets that are right. */
const WRONG: readonly (readonly [id: string, what: string, hex: string])[] = [
  ["lone-80", "a lone octet 80", "80"],
  ["octet-ff", "an octet ff", "ff"],
  ["overlong", "a slash in two octets", "c0af"],
  ["surrogate", "the surrogate U+D800", "eda080"],
  ["beyond", "U+110000", "f4908080"],
];
const octetsOf = (hex: string): number => hex.length / 2;
const right = (hex: string): string => letters(octetsOf(hex));

type At = readonly [id: string, where: string, hex: (wrong: string, size: number) => string];
const PLACES: readonly At[] = [
  ["at-the-start", "at the start", (wrong, size) => `${wrong}${letters(size)}`],
  ["in-the-middle", "in the middle", (wrong, size) => `${letters(size / 2)}${wrong}${letters(size / 2)}`],
  ["behind-accents", "behind other characters", (wrong, size) => `${ACCENT.repeat(size / 2)}${wrong}${letters(8)}`],
  ["at-the-end", "at the end", (wrong, size) => `${letters(size)}${wrong}`],
];
const SIZES = [300, 5_000] as const;
/** One kind of mistake in every place and size, and every kind in one. */
const CHOSEN = WRONG.flatMap(([id, what, hex]) =>
  PLACES.flatMap(([place, where, make]) =>
    SIZES.flatMap((size) =>
      id === "surrogate" || (place === "in-the-middle" && size === 300)
        ? [{ id: `${id}-${place}-of-${size}`, what, where, hex, make, size }]
        : [],
    ),
  ),
);

const base = { spec: "rfc6455#8.1", level: "MUST", covers: ["rfc6455#8.1/utf-8", "rfc6455#5.6/text"] } as const;

/** A character that lacks its last octets at the end of a long message. */
const CUT: readonly (readonly [id: string, what: string, hex: string])[] = [
  ["two", "a two-octet character without its last octet", "c3"],
  ["three", "a three-octet character without its last octet", "e282"],
  ["three-early", "only the first octet of a three-octet character", "e2"],
  ["four", "a four-octet character without its last octet", "f09f98"],
  ["four-half", "only two octets of a four-octet character", "f09f"],
  ["four-early", "only the first octet of a four-octet character", "f0"],
  ["continuations", "four octets that continue no character", "80808080"],
];

/** Characters of one to four octets that end a long text. */
const ENDS: readonly (readonly [id: string, what: string, hex: string])[] = [
  ["two", "a two-octet character", ACCENT],
  ["three", "a three-octet character", "e282ac"],
  ["four", "a four-octet character", FOUR],
];

export const claims: readonly Claim[] = [
  ...CHOSEN.map(({ id, what, where, hex, make, size }): Claim => ({
    ...base,
    id: `websocket/utf8-not-long-${id}`,
    title: `The {subject} fails the connection on a text message of about ${grouped(size)} octets with ${what} ${where}.`,
    ...framesOf({ wrong: [textHex(make(hex, size))], right: [textHex(make(right(hex), size))] }),
    allowed: failsWith(NOT_UTF8),
  })),
  ...CUT.map(([id, what, hex]): Claim => ({
    ...base,
    id: `websocket/utf8-not-long-cut-${id}`,
    title: `The {subject} fails the connection on a long text message that ends in ${what}.`,
    ...framesOf({ wrong: [textHex(`${letters(400)}${hex}`)], right: [textHex(`${letters(400)}${right(hex)}`)] }),
    allowed: failsWith(NOT_UTF8),
  })),
  ...PLACES.map(([place, where, make]): Claim => {
    const wrong = make("eda080", 400);
    const good = make(letters(3), 400);
    return {
      ...base,
      id: `websocket/utf8-not-long-${place}-of-second-fragment`,
      covers: [...base.covers, "rfc6455#5.4/fragments"],
      title: `The {subject} fails the connection on a text message with the surrogate U+D800 ${where} of its second, long fragment.`,
      ...framesOf({
        wrong: [first(textHex(letters(300))), last({ hex: wrong })],
        right: [first(textHex(letters(300))), last({ hex: good })],
      }),
      allowed: failsWith(NOT_UTF8),
    };
  }),
  {
    ...base,
    id: "websocket/utf8-not-long-across-fragments",
    covers: [...base.covers, "rfc6455#5.4/fragments"],
    title: "The {subject} fails the connection if a long fragment ends inside a character that the next, long fragment does not continue.",
    ...framesOf({
      wrong: [first(textHex(`${letters(300)}e282`)), last({ hex: letters(300) })],
      right: [first(textHex(`${letters(300)}e282`)), last({ hex: `ac${letters(300)}` })],
    }),
    allowed: failsWith(NOT_UTF8),
  },
  ...PLACES.map(([place, where, make]): Claim => ({
    id: `websocket/utf8-not-long-${place}-compressed`,
    spec: "rfc7692#7.2.2",
    covers: ["rfc7692#7.2.2/utf-8", "rfc6455#8.1/utf-8"],
    level: "MUST",
    title: `The {subject} fails the connection on a compressed text message of about 5,000 octets with the surrogate U+D800 ${where}.`,
    needs: ["deflate"],
    steps: [open(offering()), send(textHex(make("eda080", 5_000), { deflate: {} }))],
    control: [open(offering()), send(textHex(make(letters(3), 5_000), { deflate: {} }))],
    allowed: failsWith(NOT_UTF8),
  })),
  ...ENDS.map(([id, what, hex]): Claim => ({
    id: `websocket/utf8-long-ends-in-${id}`,
    spec: "rfc6455#5.6",
    covers: ["rfc6455#5.6/text"],
    level: "MUST",
    title: `The {subject} echoes a text message of about 400 octets that ends in ${what}.`,
    ...framesOnly(textHex(`${letters(400)}${hex}`)),
    allowed: comesBack,
  })),
  ...[1, 2, 3].map((at): Claim => ({
    id: `websocket/utf8-long-cut-behind-octet-${at}`,
    spec: "rfc6455#5.6",
    covers: ["rfc6455#5.6/text", "rfc6455#5.4/fragments"],
    level: "MUST",
    title: `The {subject} echoes a text message whose long fragments split a four-octet character after octet ${at}.`,
    ...framesOnly(first(textHex(`${letters(300)}${FOUR.slice(0, at * 2)}`)), last({ hex: `${FOUR.slice(at * 2)}${ACCENT.repeat(150)}` })),
    allowed: comesBack,
  })),
];

export const cases = claims.map(ofServer);
