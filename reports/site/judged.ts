import type { Result } from "../../conformance/harness/result.ts";
import { grouped } from "../order.ts";
import type { Protocol, SiteInput, SiteMatrix } from "./input.ts";

/** One column of a matrix: an implementation in one role. */
export type Judged = {
  readonly protocol: Protocol;
  readonly matrix: SiteMatrix;
  /** Its place among the columns of the matrix, by which the matrix's own page filters. */
  readonly column: number;
  readonly result: Result;
  /** The implementation: `apache2` of the column `apache2 before ws`. */
  readonly name: string;
};

/** The implementation of this project, which is judged like any other. */
export const OURS = "touchstone";

/** Every column of every matrix. */
export const allJudged = ({ protocols }: SiteInput): Judged[] =>
  protocols.flatMap((protocol) =>
    protocol.matrices.flatMap((matrix) =>
      matrix.results.map((result, column) => ({ protocol, matrix, column, result, name: result.subject.name.split(" before ")[0] ?? "" })),
    ),
  );

/** The columns of each implementation, by name. */
export const byImplementation = (judged: readonly Judged[]): [string, Judged[]][] =>
  [...grouped(judged, ({ name }) => name)].sort(([a], [b]) => a.localeCompare(b));

/** `2026-11-23`. */
export const dayOf = ({ startedAt }: Result): string => startedAt.slice(0, 10);

/** The newest version of an implementation among its columns. */
export function versionOf(columns: readonly Judged[]): string {
  const [newest] = [...columns].filter(({ result }) => !result.subject.name.includes(" before ")).sort(byDay);
  return (newest ?? columns[0])?.result.subject.version ?? "";
}
const byDay = (a: Judged, b: Judged): number => b.result.startedAt.localeCompare(a.result.startedAt);

/** Whether a glob with `*` matches a text. */
export const globs = (patterns: readonly string[]): ((text: string) => boolean) => {
  const exact = patterns.map((one) => new RegExp(`^${one.split("*").map(RegExp.escape).join(".*")}$`, "s"));
  return (text) => exact.some((one) => one.test(text));
};
