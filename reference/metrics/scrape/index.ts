/** Scraping without I/O (Prometheus docs, configuration/configuration.md). */
export { isLabelName, type NameScheme } from "./names.ts";
export { DEFAULT_RELABEL, patternFault, RELABEL_ACTIONS, relabelFault, type RelabelConfig, Relabelling } from "./relabel.ts";
