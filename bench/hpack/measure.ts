import { alternate } from "../lib/alternate.ts";
import type { BenchGroup, BenchRow } from "../lib/result.ts";
import { median, spread } from "../lib/stats.ts";
import type { Native } from "./native.ts";
import type { Library, Pass } from "./subjects.ts";

export type What = "encode" | "decode";
/** A library of this process, or nghttp2 in its own. */
export type Contender = Library | Native;
export type Say = (line: string) => void;

/** How long one turn lasts at least, in seconds of processor time: long enough for its clock, short enough to take turns often. */
const TURN = 0.12;
/** Passes of a turn of the native one: of about the same length. */
const NATIVE_PASSES = 40;

/**
 * All contenders in turn, round by round; for each the fields a second and the megabytes of names and values a second. Seconds are of
 * processor time, so that what else the machine does counts for nobody; collecting garbage and compiling count.
 */
export async function measure(
  contenders: readonly Contender[],
  what: What,
  rounds: number,
  megabytes: number,
  say: Say,
): Promise<BenchGroup[]> {
  const samples = await alternate(
    contenders,
    rounds,
    async (contender) => {
      const { fields, passes, seconds } = "run" in contender ? await native(contender, what) : turn(() => contender[what]());
      return { fields: fields / seconds, megabytes: (passes * megabytes) / seconds };
    },
    (round, { name }) => say(`HPACK, ${what}, round ${round} of ${rounds}: ${name}`),
  );
  const rows = (pick: "fields" | "megabytes"): BenchRow[] =>
    [...samples].map(([{ name }, measures]) => {
      const values = measures[pick] ?? [];
      return { subject: name, median: median(values), spread: spread(values), samples: values };
    });
  const title = what === "encode" ? "HPACK, encoding" : "HPACK, decoding";
  return [
    { id: `hpack/${what}-fields`, title, unit: "fields/s", better: "higher", rows: rows("fields") },
    { id: `hpack/${what}-octets`, title: `${title}, octets of names and values`, unit: "MB/s", better: "higher", rows: rows("megabytes") },
  ];
}

type Turn = { readonly fields: number; readonly passes: number; readonly seconds: number };

/** Passes until the turn is over. What they return is summed and checked, so that no work can be left out. */
function turn(pass: () => Pass): Turn {
  const { octets } = pass();
  const begun = cpuSeconds();
  let fields = 0;
  let passes = 0;
  let seconds = 0;
  while (seconds < TURN) {
    const done = pass();
    if (done.octets !== octets) throw new Error("two passes over the same stories differ");
    fields += done.fields;
    passes++;
    seconds = cpuSeconds() - begun;
  }
  return { fields, passes, seconds };
}

async function native(contender: Native, what: What): Promise<Turn> {
  const { fields, seconds } = await contender.run(what, NATIVE_PASSES);
  return { fields, passes: NATIVE_PASSES, seconds };
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
