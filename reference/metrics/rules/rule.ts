import type { Expr } from "../promql/index.ts";
import type { Labels } from "../model/index.ts";
import type { Template } from "./template/ast.ts";

/** Rules and their groups (Prometheus docs, configuration/recording_rules.md and configuration/alerting_rules.md). Times are milliseconds. */

/** A label or annotation whose value is a template. */
export type TemplatedText = { readonly name: string; readonly text: string; readonly template: Template };

type Common = {
  readonly name: string;
  readonly expr: Expr;
  /** The expression in its usual form. */
  readonly query: string;
};

export type RecordingRule = Common & {
  readonly is: "recording";
  /** Labels to add or replace, those of the group among them. */
  readonly labels: Labels;
};

export type AlertingRule = Common & {
  readonly is: "alerting";
  /** How long an element must be active before its alert fires. */
  readonly forMs: number;
  /** How long an alert goes on after its element is gone. */
  readonly keepFiringForMs: number;
  readonly labels: readonly TemplatedText[];
  readonly annotations: readonly TemplatedText[];
};

export type Rule = RecordingRule | AlertingRule;

export type RuleGroup = {
  /** The file that has it; a name is unique within a file. */
  readonly file: string;
  readonly name: string;
  readonly intervalMs: number;
  /** The most series of a recording rule, and alerts of an alerting rule; 0 is none. */
  readonly limit: number;
  /** How far before the time of the evaluation the rules look and store. */
  readonly queryOffsetMs: number;
  readonly rules: readonly Rule[];
};

/** Identifies a group across changes of the configuration. */
export const groupKey = ({ file, name }: Pick<RuleGroup, "file" | "name">): string => `${file};${name}`;

/** The labels of an alerting rule as they are written. */
export const writtenLabels = ({ labels }: Rule): Readonly<Record<string, string>> =>
  Array.isArray(labels) ? Object.fromEntries(labels.map(({ name, text }) => [name, text])) : (labels as Labels).toJSON();

/** Identifies a rule within a group: one with the same identity goes on with the state of the one before. */
export const ruleKey = (rule: Rule): string => JSON.stringify([rule.is, rule.name, Object.entries(writtenLabels(rule)).sort()]);
