import type { Level } from "../../../../reference/core/index.ts";
import type { RequirementRef } from "../../../harness/case.ts";
import type { Protocol, RequestSeries } from "../../../wire/remotewrite/build.ts";
import type { Case, Counts, Sight, Step } from "../../vocabulary.ts";

/** What the cases for receivers share. */

export const PROTOCOLS: readonly Protocol[] = [1, 2];
const needOf = (protocol: Protocol): "one" | "two" => (protocol === 1 ? "one" : "two");
type Ref = RequirementRef;
const DOCUMENT = "prometheus-remotewrite";
const ref = (name: string): Ref => `${DOCUMENT}#${name}` as Ref;
const section = (name: string): Case["spec"] => ref(name).split("/")[0] as Case["spec"];

type Samples = NonNullable<RequestSeries["samples"]>;
/** The series of the case with one more label. */
export const series = (samples: Samples = [[1, 0]], ...more: readonly (readonly [string, string])[]): RequestSeries => ({
  labels: [["__name__", "@"], ...more],
  samples,
});
export const write = (protocol: Protocol, all: readonly RequestSeries[], more: Partial<Step> = {}): Step => ({
  do: "write",
  protocol,
  series: all,
  ...more,
});
export const plain = (protocol: Protocol): Step => write(protocol, [series()]);

export const written = (samples: number, histograms = 0): Counts => ({ samples, histograms });
/** Success; protocol 2 also says how much was written. */
export const success = (protocol: Protocol, samples: number, histograms = 0): Sight =>
  protocol === 1 ? { see: "written" } : { see: "written", counts: written(samples, histograms) };
/** A refusal; protocol 2 also says how much was written all the same. */
export const refusal = (protocol: Protocol, status: number | undefined, ...counts: readonly Counts[]): Sight => ({
  see: "refused",
  ...(status !== undefined && { status }),
  ...(protocol === 2 && { says: true }),
  ...(protocol === 2 && counts.length > 0 && { counts }),
});
export const both = (...of: readonly Sight[]): Sight => ({ see: "all", of });
export const shows = (...values: readonly (readonly string[])[]): Sight => ({ see: "stored", values });

export type Draft = {
  readonly id: string;
  readonly covers: readonly [string, ...string[]];
  readonly level: Level;
  readonly title: string;
  readonly steps: readonly Step[];
  readonly control?: readonly Step[];
  readonly allowed: Case["allowed"];
  readonly needs?: readonly string[];
};
/** A case for one protocol; its section is that of the first requirement. */
export function made(protocol: Protocol, { id, covers, level, title, steps, control = steps, allowed, needs = [] }: Draft): Case {
  const [first, ...rest] = covers;
  return {
    id: `remotewrite/${id}-${protocol === 1 ? "one" : "two"}`,
    spec: section(first),
    covers: [ref(first), ...rest.map(ref)],
    level,
    role: "server",
    title: `Protocol ${protocol}: ${title.charAt(0).toLowerCase()}${title.slice(1)}.`,
    needs: [needOf(protocol), ...needs],
    steps,
    control,
    allowed,
  };
}
