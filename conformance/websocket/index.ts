import { loadFolder } from "../harness/load.ts";
import type { Case } from "./vocabulary.ts";

/** The WebSocket suite: its cases for servers, and how they are performed. */
export { FEATURES, monitorNames, ServerDriver, type ServerOptions } from "./driver/index.ts";
export type { Case } from "./vocabulary.ts";

/** All cases, by section. */
export const loadCases = (): Promise<Case[]> => loadFolder<Case>(import.meta.dirname);
