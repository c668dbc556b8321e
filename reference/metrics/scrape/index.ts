/** Scraping without I/O (Prometheus docs, configuration/configuration.md): relabelling, targets, schedules, and what a scrape turns into. */
export { isLabelName, type NameScheme } from "./names.ts";
export { type Outcome, type PassOptions, type Scraped, TargetPass } from "./pass.ts";
export { formatOf } from "./read.ts";
export {
  DEFAULT_RELABEL,
  patternFault,
  RELABEL_ACTIONS,
  relabelFault,
  type RelabelConfig,
  Relabelling,
  type RelabelStep,
} from "./relabel.ts";
export { Schedule } from "./schedule.ts";
export { type Dropped, type Target, targetOf } from "./target.ts";
