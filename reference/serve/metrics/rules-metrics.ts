import type { Labelled, Row } from "./metric-rows.ts";
import { QUEUE_LIMITS } from "../../metrics/rules/index.ts";
import type { Notifier } from "./notifier.ts";
import type { RuleLoop } from "./rule-loop.ts";
import type { RuleRunner } from "./rule-runner.ts";

/** The metrics about rules, one value for each group. */
export function rulesRows({ groups }: RuleRunner): Row[] {
  const each = (value: (loop: RuleLoop) => number): Labelled[] => groups.map((loop) => ["rule_group", loop.key, value(loop)]);
  const sum = (value: (state: RuleLoop["run"]["states"][number]) => number): Labelled[] =>
    each(({ run }) => run.states.reduce((total, state) => total + value(state), 0));
  return [
    ["prometheus_rule_group_rules", "gauge", "Rules of each group.", each(({ run }) => run.group.rules.length)],
    ["prometheus_rule_group_interval_seconds", "gauge", "The interval of each group.", each(({ run }) => run.group.intervalMs / 1_000)],
    [
      "prometheus_rule_group_iterations_total",
      "counter",
      "Evaluations that were due, missed ones among them.",
      each(({ iterations }) => iterations),
    ],
    [
      "prometheus_rule_group_iterations_missed_total",
      "counter",
      "Evaluations missed, because the one before took too long.",
      each(({ missed }) => missed),
    ],
    [
      "prometheus_rule_group_last_duration_seconds",
      "gauge",
      "How long the last evaluation of each group took.",
      each(({ lastSeconds }) => lastSeconds),
    ],
    [
      "prometheus_rule_group_last_evaluation_timestamp_seconds",
      "gauge",
      "The time of the last evaluation of each group.",
      each(({ lastEvaluation }) => lastEvaluation / 1_000),
    ],
    [
      "prometheus_rule_group_last_evaluation_samples",
      "gauge",
      "Samples that the last evaluation of each group stored.",
      sum(({ series }) => series.size),
    ],
    ["prometheus_rule_evaluations_total", "counter", "Evaluations of rules.", sum(({ evaluations }) => evaluations)],
    ["prometheus_rule_evaluation_failures_total", "counter", "Evaluations of rules that failed.", sum(({ failures }) => failures)],
  ];
}

/** The metrics about alerts on their way to the routers. */
export function notifierRows({ links, active }: Notifier): Row[] {
  const each = (value: (link: Notifier["links"][number]) => number): Labelled[] =>
    links.map((link) => ["alertmanager", link.url, value(link)]);
  const length = links.reduce((sum, { queue }) => sum + queue.length, 0);
  const dropped = links.reduce((sum, { queue }) => sum + queue.dropped, 0);
  return [
    ["prometheus_notifications_alertmanagers_discovered", "gauge", "Alert routers.", active.length],
    ["prometheus_notifications_queue_length", "gauge", "Alerts that wait for a router.", length],
    ["prometheus_notifications_queue_capacity", "gauge", "The most alerts that may wait for one router.", QUEUE_LIMITS.capacity],
    ["prometheus_notifications_sent_total", "counter", "Alerts that a router accepted.", each(({ queue }) => queue.sent)],
    ["prometheus_notifications_errors_total", "counter", "Alerts of attempts that failed.", each(({ queue }) => queue.errors)],
    ["prometheus_notifications_dropped_total", "counter", "Alerts that a router refused, or that had no room.", dropped],
  ];
}
