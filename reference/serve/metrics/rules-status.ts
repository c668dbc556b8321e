import type { RuleSource } from "../../metrics/api/index.ts";
import { type Alert, exponential, type RuleState, writtenLabels } from "../../metrics/rules/index.ts";
import type { RuleRunner } from "./rule-runner.ts";

type Group = ReturnType<RuleSource["groups"]>[number];
type Status = Group["rules"][number];
type AlertShown = NonNullable<Status["alerts"]>[number];

const NEVER = "0001-01-01T00:00:00Z";
const dated = (ms: number): string => (ms === 0 ? NEVER : new Date(ms).toISOString());

/** The rules as the query API shows them. */
export const rulesStatus = (runner: RuleRunner): Pick<RuleSource, "groups"> => ({
  groups: () =>
    runner.groups.map(({ run, lastEvaluation, lastSeconds }) => ({
      name: run.group.name,
      file: run.group.file,
      rules: run.states.map(statusOf),
      interval: run.group.intervalMs / 1_000,
      limit: run.group.limit,
      evaluationTime: lastSeconds,
      lastEvaluation: dated(lastEvaluation),
    })),
});

function statusOf({ rule, health, lastError, lastEvaluation, evaluationTime, alerts }: RuleState): Status {
  const common = {
    name: rule.name,
    query: rule.query,
    labels: writtenLabels(rule),
    health,
    lastError,
    evaluationTime,
    lastEvaluation: dated(lastEvaluation),
  };
  if (rule.is === "recording") return { type: "recording", ...common };
  const active = [...alerts.values()].filter(({ state }) => state !== "inactive");
  const state = active.some((one) => one.state === "firing") ? "firing" : active.length > 0 ? "pending" : "inactive";
  return {
    type: "alerting",
    ...common,
    state: health === "unknown" ? "unknown" : state,
    duration: rule.forMs / 1_000,
    keepFiringFor: rule.keepFiringForMs / 1_000,
    annotations: Object.fromEntries(rule.annotations.map(({ name, text }) => [name, text])),
    alerts: active.map(alertShown),
  };
}

const alertShown = ({ labels, annotations, state, activeAt, keptSince, value }: Alert): AlertShown => ({
  labels: labels.toJSON(),
  annotations: annotations.toJSON(),
  state,
  activeAt: dated(activeAt),
  ...(keptSince !== undefined && { keepFiringSince: dated(keptSince) }),
  value: exponential(value),
});
