/** The configuration file of a metrics server: Prometheus docs, configuration/configuration.md. It reads no files; the caller gives it their text. */
export { configText, jobText, loadConfig, loadScrapeConfigs, loadTargets } from "./load.ts";
export { describeProblem, type NamedFile, type Problem } from "./source.ts";
export { loadRules, type RuleDefaults } from "./rule-file.ts";
export { loadRuleTests } from "./rule-test.ts";
export { unsupportedWrite } from "./notices.ts";
export type { HttpConfig } from "./http.ts";
export { Secret } from "./kinds.ts";
export type { ScrapeConfig } from "./scrape.ts";
export type { Config } from "./whole.ts";
export { loadRouterConfig, type RouterConfig } from "./router/load.ts";
export type { EmailConfig, WebhookConfig } from "./router/receivers.ts";
export { ciphersOf, loadWebConfig, type WebConfig, type WebTls } from "./web.ts";
