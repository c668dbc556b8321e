import { DEFAULT_RELABEL, type NameScheme, patternFault, RELABEL_ACTIONS, relabelFault, type RelabelConfig } from "../scrape/index.ts";
import { list, scalar, text, type Kind } from "./kinds.ts";
import { preset, struct } from "./struct.ts";
import type { Source } from "./source.ts";

/** Prometheus docs, configuration/configuration.md, `<relabel_config>`. */

const pattern: Kind<string> = scalar((written) => {
  const fault = patternFault(written);
  return fault === undefined ? written : new Error(fault);
});

const MOST = 2n ** 64n;
const modulus: Kind<bigint> = scalar(
  (written) => {
    const value = /^\d{1,20}$/.test(written === "" ? "0" : written) ? BigInt(written) : MOST;
    return value < MOST ? value : new Error(`${JSON.stringify(written)} is not a whole number of 64 bits`);
  },
  (value) => (value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : String(value)),
);

const action = scalar((written): RelabelConfig["action"] | Error => {
  if (written === "") return new Error("the action is empty");
  const lower = written.toLowerCase();
  return (
    RELABEL_ACTIONS.find((one) => one === lower) ?? new Error(`${JSON.stringify(written)} is not one of ${RELABEL_ACTIONS.join(", ")}`)
  );
});

const RELABEL = struct({
  source_labels: preset(list(text), DEFAULT_RELABEL.source_labels),
  separator: preset(text, DEFAULT_RELABEL.separator),
  regex: preset(pattern, DEFAULT_RELABEL.regex),
  modulus: preset(modulus, DEFAULT_RELABEL.modulus),
  target_label: preset(text, DEFAULT_RELABEL.target_label),
  replacement: preset(text, DEFAULT_RELABEL.replacement),
  action: preset(action, DEFAULT_RELABEL.action),
});

/** A list of rules. Which label names are valid depends on other fields: `checkRelabelling` checks the rules once those are known. */
export const RELABEL_CONFIGS: Kind<readonly RelabelConfig[]> = list(RELABEL, "relabelling rule");

export function checkRelabelling(source: Source, configs: readonly RelabelConfig[], scheme: NameScheme): void {
  for (const config of configs) {
    const fault = relabelFault(config, scheme);
    if (fault !== undefined) source.placeOf(config, fault.field).fail(fault.message);
  }
}
