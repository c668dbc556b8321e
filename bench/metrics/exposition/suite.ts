import { alternate } from "../../lib/alternate.ts";
import type { BenchGroup, BenchRow } from "../../lib/result.ts";
import { SPREAD } from "../../lib/rows.ts";
import type { Say, Size } from "../../lib/size.ts";
import { median, spread } from "../../lib/stats.ts";
import { foreign } from "./foreign.ts";
import { pages } from "./pages.ts";
import { type Format, ours, type Subject } from "./subjects.ts";

const TITLES: Readonly<Record<Format, string>> = {
  text: "Parsing a page in the text format",
  openmetrics: "Parsing a page in OpenMetrics",
};
/** Passes per turn; slow subjects use fewer. */
const PASSES = 60;

/** Parsing a page with Touchstone, the parser of the Prometheus server, and the Python client library: octets per second of CPU time and wall time. */
export async function expositionGroups(size: Size, say: Say): Promise<BenchGroup[]> {
  const given = pages();
  const { subjects, missing, stop } = await foreign(given);
  for (const line of missing) say(line);
  const all = [...ours(given), ...subjects];
  try {
    const groups: BenchGroup[] = [];
    for (const format of ["text", "openmetrics"] as const) {
      const octets = given[format].length;
      const samples = await alternate(
        all.filter(({ formats }) => formats.includes(format)),
        size.rounds,
        async (subject) => turn(subject, format, given.samples, octets),
        (round, { name }) => say(`${TITLES[format]}, round ${round} of ${size.rounds}: ${name}`),
      );
      const rows = (pick: "cpu" | "wall"): BenchRow[] =>
        [...samples].map(([{ name }, measures]) => {
          const values = measures[pick] ?? [];
          return { subject: name, median: median(values), spread: spread(values), samples: values };
        });
      const note = [
        `a page of ${octets.toLocaleString("en-US")} octets with ${given.samples.toLocaleString("en-US")} samples, parsed repeatedly`,
        "scrape: positions and values of all series, as needed for known series; strict: also checks the rules for families",
        "prometheus_client creates an object per sample",
        ...missing,
        SPREAD,
      ].join("; ");
      groups.push(
        {
          id: `metrics/exposition-${format}-cpu`,
          title: TITLES[format],
          unit: "MB/s of CPU time",
          better: "higher",
          rows: rows("cpu"),
          note,
        },
        { id: `metrics/exposition-${format}-wall`, title: TITLES[format], unit: "MB/s", better: "higher", rows: rows("wall"), note },
      );
    }
    return groups;
  } finally {
    stop();
  }
}

async function turn(subject: Subject, format: Format, due: number, octets: number): Promise<{ cpu: number; wall: number }> {
  const pass = await subject.run(format, PASSES);
  const passes = pass.samples / due;
  if (!Number.isInteger(passes) || passes === 0) throw new Error(`${subject.name} read ${pass.samples} samples, not a multiple of ${due}.`);
  const megabytes = (passes * octets) / 1e6;
  return { cpu: megabytes / pass.seconds, wall: megabytes / pass.wallSeconds };
}
