/** Rules without I/O (Prometheus docs, configuration/recording_rules.md, configuration/alerting_rules.md): groups, alerts and their templates, on given time. */
export { type Alert, RESTORE_TIMES } from "./alert-state.ts";
export { lintRules } from "./lint.ts";
export { notificationJson, type Notification, RESEND_MS } from "./notify.ts";
export { NotifyQueue, QUEUE_LIMITS, type SendOutcome } from "./notify-queue.ts";
export { ALERT_VARIABLES } from "./evaluate.ts";
export { GroupRun, type PassContext, type RuleState } from "./group.ts";
export { groupKey, type Rule, type RuleGroup, type TemplatedText, writtenLabels } from "./rule.ts";
export { slotFrom, Slots } from "./slots.ts";
export { PUBLISHED as TEMPLATE_FUNCTIONS } from "./template/names.ts";
export { exponential } from "./template/format.ts";
export type { Template } from "./template/ast.ts";
export { parseTemplate } from "./template/parse.ts";
export { printed } from "./template/format.ts";
export { NOTIFICATION_FUNCTIONS } from "./template/names.ts";
export { expand } from "./template/run.ts";
export { Dictionary, isList, Listing, Markup, type Method, Moment, Struct, TemplateFault, type Value } from "./template/values.ts";
export { type RuleTest, runRuleTest } from "./unit-test.ts";
