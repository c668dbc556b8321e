import { randomFillSync } from "node:crypto";
import { writeSync } from "node:fs";
import { realFiles } from "../../../reference/io/files.ts";
import { Labels } from "../../../reference/metrics/model/index.ts";
import { Database } from "../../../reference/metrics/tsdb/index.ts";

/**
 * Appends batches until it is killed, and prints each acknowledged one. `kill.test.ts` starts it with the data directory, the number of the first batch and
 * the number of samples per batch. Blocks are so short that it constantly writes, compacts and truncates.
 */
export const BLOCK_RANGE = 20_000;
export const STEP_MS = 1_000;
const labelsOf = (at: number): Labels => Labels.of({ __name__: "m", series: String(at) });
/** The parent process may disappear. */
const MOST_BATCHES = 100_000;

function write(directory: string, first: number, samples: number): void {
  const database = new Database(realFiles, directory, {
    random: (into) => randomFillSync(into),
    blockRange: BLOCK_RANGE,
    walSegmentOctets: 65_536,
    walSync: "never",
    retention: { ms: 0, octets: 0 },
  });
  for (let batch = first; batch < first + MOST_BATCHES; batch++) {
    const appender = database.appender();
    for (let at = 0; at < samples; at++) {
      const refusal = appender.append(appender.series(labelsOf(at)), batch * STEP_MS, batch + at);
      if (refusal !== undefined) throw new Error(`batch ${batch}: ${refusal}`);
    }
    appender.commit();
    writeSync(1, `${batch}\n`);
    while (database.compact(batch * STEP_MS)) writeSync(1, "compacted\n");
  }
}

const [, , directory, first, samples] = process.argv;
if (directory !== undefined && import.meta.filename === process.argv[1]) write(directory, Number(first), Number(samples));
