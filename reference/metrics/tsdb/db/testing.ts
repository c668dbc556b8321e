import { Columns, Labels, Matcher } from "../../model/index.ts";
import type { MemoryFiles } from "../files/testing.ts";
import { Database, type DatabaseOptions } from "../index.ts";

export const HOUR = 3_600_000;
/** A time at the start of a block. */
export const NOW = 1_000 * HOUR;
const ALL = [new Matcher("__name__", "=~", ".+")];
/** The series of one metric. */
export const is = (name: string): Matcher[] => [new Matcher("__name__", "=", name)];
/** Opens `data` with short log segments. Block names are distinct and repeatable. */
export const open = (files: MemoryFiles, options: Partial<DatabaseOptions> = {}): Database =>
  new Database(files, "data", {
    random: (into) => {
      into.fill(0);
      const serial = files.serial++;
      into[15] = serial % 32;
      into[14] = Math.floor(serial / 32);
      return into;
    },
    walSegmentOctets: 512,
    ...options,
  });

/** Appends a sample per hour to each series, with the hour as its value, and compacts after each. */
export function fill(database: Database, from: number, to: number, metrics = ["a", "b"]): void {
  for (let hour = from; hour <= to; hour++) {
    const appender = database.appender();
    for (const name of metrics) appender.append(appender.series(Labels.of({ __name__: name, hour: "x" })), NOW + hour * HOUR, hour);
    appender.commit();
    while (database.compact(NOW + hour * HOUR));
  }
}

/** The values of each metric, from a query of all time. */
export function shown(database: Database, matchers = ALL): Record<string, number[]> {
  const querier = database.querier(0, Infinity);
  const columns = new Columns();
  const all: Record<string, number[]> = {};
  for (const series of querier.select(matchers, 0, Infinity)) {
    columns.clear();
    series.read(columns, 0, Infinity);
    all[series.labels.metric] = [...columns.values.subarray(0, columns.length)];
  }
  querier.close();
  return all;
}

export const hours = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);
