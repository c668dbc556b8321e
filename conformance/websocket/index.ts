import { join } from "node:path";
import { loadFolder } from "../harness/load.ts";
import { casesAt } from "./10.4-limits.ts";
import { expanded } from "./expand.ts";
import type { Scale } from "./scale.ts";
import type { Case } from "./vocabulary.ts";

/** The WebSocket suite: its cases for servers and clients, and how they are performed. */
export { FEATURES, monitorNames, ServerDriver } from "./driver/index.ts";
export { CLIENT_FEATURES, ClientDriver, clientMonitorNames } from "./driver/index.ts";
export { LARGEST, type Scale, scaleOf } from "./scale.ts";
export type { Case } from "./vocabulary.ts";
export { CODEC_FEATURES, CodecDriver } from "./driver/codec.ts";
export type { CodecOptions } from "../harness/codec.ts";
export { codecCases } from "./codec/cases.ts";
export type { CodecCase } from "./codec/vocabulary.ts";

const HERE = import.meta.dirname;

/** All cases, by section: those for servers over HTTP/1.1 (the larger ones at this scale), the same over HTTP/2, and those for clients. */
export async function loadCases(scale: Scale = 1): Promise<Case[]> {
  const larger = new Map(casesAt(scale).map((c) => [c.id, c]));
  const servers = (await loadFolder<Case>(HERE)).map((c) => larger.get(c.id) ?? c);
  return [...expanded(servers), ...(await loadFolder<Case>(join(HERE, "client")))];
}
