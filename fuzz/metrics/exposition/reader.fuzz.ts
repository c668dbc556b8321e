import { Page, SCRAPE } from "../../../reference/metrics/exposition/index.ts";
import type { Target } from "../../lib/target.ts";
import { DICTIONARY, type Format, formatOf, isFault, MAX_LENGTH, pageOf, read, type Reading, seeds, show } from "./pages.ts";

const used = new Page();
const PLAIN = new TextEncoder().encode("\n# comment\n \t\n");

/** The same octets as a view into a larger buffer: the result must not depend on the octets around them. */
function embedded(octets: Uint8Array, shift: number): Uint8Array {
  const room = new Uint8Array(octets.length + shift + 3).fill(0x22);
  room.set(octets, shift);
  return room.subarray(shift, shift + octets.length);
}

function check(format: Format, octets: Uint8Array): void {
  const strict = read(format, octets);
  const again = read(format, embedded(octets, (octets.length % 7) + 1), {}, used);
  if (show(strict) !== show(again))
    throw new Error(`the same page was read differently the second time: ${show(strict)} and ${show(again)}`);
  if (isFault(strict)) {
    const lines = Buffer.from(octets).toString("latin1").split("\n");
    const line = lines[strict.line - 1];
    if (line === undefined || strict.column < 1 || strict.column > line.length + 1)
      throw new Error(`${strict.message} The position is outside the page.`);
  }
  const lenient = read(format, octets, { lenient: SCRAPE });
  if (!isFault(strict) && show(strict) !== show(lenient))
    throw new Error(`a lenient reader reads a valid page differently: ${show(lenient)}`);
  if (!isFault(lenient)) checkJoined(format, octets, lenient);
}

/** Text format: comments and empty lines change nothing, and two pages joined are one page with the samples of both. */
function checkJoined(format: Format, octets: Uint8Array, reading: Reading): void {
  if (format === "openmetrics") return;
  const ended = octets.length === 0 || octets.at(-1) === 0x0a ? octets : new Uint8Array([...octets, 0x0a]);
  const padded = read(format, new Uint8Array([...PLAIN, ...ended, ...PLAIN]), { lenient: SCRAPE });
  if (show(padded) !== show(reading)) throw new Error(`with comments and empty lines the page reads as ${show(padded)}`);
  const twice = read(format, new Uint8Array([...ended, ...ended]), { lenient: SCRAPE });
  if (isFault(twice) || show(twice.samples) !== show([...reading.samples, ...reading.samples]))
    throw new Error(`the page repeated reads as ${show(twice)}`);
}

export const target: Target = {
  name: "metrics/exposition/reader",
  about: "any octets are a page, or have a fault within them; surrounding octets, leniency and comments change nothing",
  run(input) {
    check(formatOf(input), pageOf(input));
  },
  seeds: seeds(),
  dictionary: DICTIONARY,
  maxLength: MAX_LENGTH,
};
