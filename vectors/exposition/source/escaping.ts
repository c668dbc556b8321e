import type { VectorSource } from "../../write.ts";
import type { EscapingVector } from "./kinds.ts";

type Row = readonly [name: string, scheme: EscapingVector["scheme"], escaped: string, restored?: string];
const SPEC = "prometheus-escaping#schemes";

const vector =
  (of: EscapingVector["of"], flag: string) =>
  ([name, scheme, escaped, restored]: Row): Omit<EscapingVector, "id"> => ({
    note: `${JSON.stringify(name)} by ${scheme}`,
    spec: SPEC,
    of,
    name,
    scheme,
    escaped,
    ...(restored === undefined ? {} : { restored }),
    result: "valid",
    flags: [flag],
  });
/** An escaped name from elsewhere, and what a reader makes of it. */
const received = ([escaped, scheme, restored]: readonly [string, EscapingVector["scheme"], string]): Omit<EscapingVector, "id"> => ({
  note: `${JSON.stringify(escaped)}, received, by ${scheme}`,
  spec: SPEC,
  of: "metric",
  scheme,
  escaped,
  restored,
  result: "valid",
  flags: ["Received"],
});

const METRIC: readonly Row[] = [
  ["metric.name/with/slashes", "underscores", "metric_name_with_slashes"],
  ["metric.name.with.dots", "dots", "metric_dot_name_dot_with_dot_dots", "metric.name.with.dots"],
  ["metric.name", "values", "U__metric_2E_name", "metric.name"],
  ["metric.name", "allow-utf-8", "metric.name", "metric.name"],
  ["a_b", "underscores", "a_b"],
  ["a_b.c d", "dots", "a__b_dot_c_d", "a_b.c_d"],
  ["a_b", "dots", "a__b", "a_b"],
  ["_a", "dots", "__a", "_a"],
  [".a", "dots", "_dot_a", ".a"],
  ["1a", "underscores", "_a"],
  ["1a", "dots", "_a"],
  ["1a", "values", "U__1a", "1a"],
  ["a1", "underscores", "a1"],
  ["a1", "dots", "a1", "a1"],
  ["a1.1", "underscores", "a1_1"],
  ["a-1", "values", "U__a_2D_1", "a-1"],
  ["a_b", "values", "a_b", "a_b"],
  ["a_b.c", "values", "U__a__b_2E_c", "a_b.c"],
  ["\u6e29\u{1f600}", "values", "U___6E29__1F600_", "\u6e29\u{1f600}"],
  ["\u6e29\u{1f600}", "underscores", "__"],
  ["\u6e29\u{1f600}", "dots", "__"],
  ["U__a", "values", "U__U____a", "U__a"],
  ["U__a", "underscores", "U__a"],
  ["U_a", "values", "U_a", "U_a"],
  ["a:b", "underscores", "a:b"],
  ["a:b", "dots", "a:b", "a:b"],
  ["a:b", "values", "a:b", "a:b"],
  ["a:b.c", "values", "U__a:b_2E_c", "a:b.c"],
  [":a", "underscores", ":a"],
  ["Zz", "underscores", "Zz"],
  ["aZ09", "values", "aZ09", "aZ09"],
  ["a@[`{/;", "underscores", "a______"],
  ["a@[`{/;", "values", "U__a_40__5B__60__7B__2F__3B_", "a@[`{/;"],
  ["\u0000\u007f\u00ff", "values", "U___0__7F__FF_", "\u0000\u007f\u00ff"],
  ["\u{10ffff}", "values", "U___10FFFF_", "\u{10ffff}"],
];
const LABEL: readonly Row[] = [
  ["a:b", "underscores", "a_b"],
  ["a:b", "dots", "a_b"],
  ["a:b", "values", "U__a_3A_b", "a:b"],
  ["a_b", "underscores", "a_b"],
  ["1.", "underscores", "__"],
  ["service.name", "values", "U__service_2E_name", "service.name"],
];
const RECEIVED = [
  ["plain", "values", "plain"],
  ["U__a_b", "values", "U__a_b"],
  ["U__a_110000_", "values", "U__a_110000_"],
  ["U__a_10FFFF_", "values", "a\u{10ffff}"],
  ["U__a_D800_", "values", "U__a_D800_"],
  ["U__a_DFFF_", "values", "U__a_DFFF_"],
  ["U__a_D7FF_", "values", "a\ud7ff"],
  ["U__a_E000_", "values", "a\ue000"],
  ["U__a_D800__2E_", "values", "U__a_D800__2E_"],
  ["U__a_2", "values", "U__a_2"],
  ["U__a_0000002E_", "values", "U__a_0000002E_"],
  ["U__a_00002E_", "values", "a."],
  ["U__\u00e9", "values", "U__\u00e9"],
  ["U__a_2e_b", "values", "a.b"],
  ["U__a:b", "values", "a:b"],
  ["U__", "values", ""],
  ["U__a___2E_", "values", "a_."],
  ["a_dot_b__c", "dots", "a.b_c"],
  ["a_dot_b__c", "underscores", "a_dot_b__c"],
  ["a_dot_b__c", "allow-utf-8", "a_dot_b__c"],
  ["U__a_2E_b", "allow-utf-8", "U__a_2E_b"],
  ["U__a_2E_b", "underscores", "U__a_2E_b"],
] as const;

export const source: VectorSource<EscapingVector> = {
  about: "Names in the notation of readers that know only plain names, and back",
  spec: SPEC,
  flags: {
    Metric: { why: "the name of a metric, which may have colons", bug: "WRONG_NAME" },
    Label: { why: "the name of a label, which has none", bug: "WRONG_NAME" },
    Received: { why: "an escaped name, or one that only looks like it", bug: "WRONG_NAME" },
  },
  vectors: [...METRIC.map(vector("metric", "Metric")), ...LABEL.map(vector("label", "Label")), ...RECEIVED.map(received)],
};
