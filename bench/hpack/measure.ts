import { alternate } from "../lib/alternate.ts";
import type { BenchGroup, BenchRow } from "../lib/result.ts";
import { median, spread } from "../lib/stats.ts";
import type { Say } from "../lib/size.ts";
import type { Native } from "./native.ts";
import type { Library, Pass } from "./subjects.ts";

type What = "encode" | "decode";
/** A library in this process, or nghttp2 in its own process. */
export type Contender = Library | Native;

/** The minimum length of a turn in seconds of CPU time: long enough for the clock, short enough for frequent turns. */
const TURN = 0.12;
/** Passes in a turn of nghttp2: a turn of about the same length. */
const NATIVE_PASSES = 40;

type Run = {
  readonly contenders: readonly Contender[];
  readonly what: What;
  readonly rounds: number;
  /** Names and values in one pass. */
  readonly megabytes: number;
  readonly say: Say;
};
/**
 * Measures all contenders in turn: fields per second, and megabytes of names and values per second. Seconds are CPU time, so that other
 * load on the machine does not count; garbage collection and compilation do.
 */
export async function measure({ contenders, what, rounds, megabytes, say }: Run): Promise<BenchGroup[]> {
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

/** Runs passes until the turn is over. Sums and checks their results, so that the compiler cannot remove work. */
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
