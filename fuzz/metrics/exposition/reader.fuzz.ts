import { Page, SCRAPE } from "../../../reference/metrics/exposition/index.ts";
import type { Target } from "../../lib/target.ts";
import { DICTIONARY, type Format, formatOf, isFault, MAX_LENGTH, pageOf, read, type Reading, seeds, show } from "./pages.ts";

const used = new Page();
const PLAIN = new TextEncoder().encode("\n# comment\n \t\n");

/** The same octets somewhere within others, which are a page too: what is read must not depend on what stands around it. */
function embedded(octets: Uint8Array, shift: number): Uint8Array {
  const room = new Uint8Array(octets.length + shift + 3).fill(0x22);
  room.set(octets, shift);
  return room.subarray(shift, shift + octets.length);
}

function check(format: Format, octets: Uint8Array): void {
  const strict = read(format, octets);
  const again = read(format, embedded(octets, (octets.length % 7) + 1), {}, used);
  if (show(strict) !== show(again)) throw new Error(`the same page was read in two ways: ${show(strict)} and ${show(again)}`);
  if (isFault(strict)) {
    const lines = Buffer.from(octets).toString("latin1").split("\n");
    const line = lines[strict.line - 1];
    if (line === undefined || strict.column < 1 || strict.column > line.length + 1)
      throw new Error(`${strict.message} There is no such place.`);
  }
  const kind = read(format, octets, { lenient: SCRAPE });
  if (!isFault(strict) && show(strict) !== show(kind)) throw new Error(`leniency reads a good page otherwise: ${show(kind)}`);
  if (!isFault(kind)) isTheSame(format, octets, kind);
}

/** What counts for nothing changes nothing; two pages of text are one. */
function isTheSame(format: Format, octets: Uint8Array, reading: Reading): void {
  if (format === "openmetrics") return;
  const ended = octets.length === 0 || octets.at(-1) === 0x0a ? octets : new Uint8Array([...octets, 0x0a]);
  const padded = read(format, new Uint8Array([...PLAIN, ...ended, ...PLAIN]), { lenient: SCRAPE });
  if (show(padded) !== show(reading)) throw new Error(`comments and empty lines make it ${show(padded)}`);
  const twice = read(format, new Uint8Array([...ended, ...ended]), { lenient: SCRAPE });
  if (isFault(twice) || show(twice.samples) !== show([...reading.samples, ...reading.samples]))
    throw new Error(`the page behind itself is ${show(twice)}`);
}

export const target: Target = {
  name: "metrics/exposition/reader",
  about: "any octets are a page or have a fault at a place of theirs; what stands around, leniency and comments change nothing",
  run(input) {
    check(formatOf(input), pageOf(input));
  },
  seeds: seeds(),
  dictionary: DICTIONARY,
  maxLength: MAX_LENGTH,
};
