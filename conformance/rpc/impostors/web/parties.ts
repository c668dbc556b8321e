import type { Party, Started } from "../../../harness/impostors/catch.ts";
import { writeHints } from "../../../harness/impostors/hints.ts";
import type { WebDialect } from "../../../wire/rpc/web-forms.ts";
import { webCases } from "../../cases/web/load.ts";
import { WebServerDriver } from "../../driver/web/server.ts";
import type { WebCase } from "../../web-vocabulary.ts";
import { WEB_FLAWS } from "./flaws.ts";
import { startWebImpostor } from "./server.ts";

export const HINTS = new URL("hints.json", import.meta.url);
/** Impostors that must pass nothing fail every case: a case that only they fail counts as uncaught. */
export const MUTE = ["silent", "slams"] as const;
/** How long to wait for silence: short, because everything is on loopback. */
const SILENCE_MS = 300;

/** The cases of a dialect over HTTP/1.1, and those that need HTTP/2: the same flaws show over either. */
const casesOf = (dialect: WebDialect): WebCase[] => {
  const cases = webCases(dialect);
  const ids = new Set<string>(cases.map(({ id }) => id));
  return cases.filter(({ id }) => id.endsWith("-http1") || !ids.has(id.replace(/-http2$/, "-http1")));
};

/** The cases for servers of a dialect, with the impostors that must fail them. */
export const webServers = (dialect: WebDialect): Party<WebCase> => ({
  cases: casesOf(dialect),
  names: Object.keys(WEB_FLAWS).filter((name) => !MUTE.some((mute) => mute === name)),
  start: async (name): Promise<Started<WebCase>> => {
    const { url, stop } = await startWebImpostor(name);
    return { driver: new WebServerDriver({ url, timeout: SILENCE_MS, dialect }), stop };
  },
  concurrency: 16,
  abreast: 4,
});
export const DIALECTS = ["connect", "grpc-web"] as const satisfies readonly WebDialect[];

if (import.meta.main) await writeHints(HINTS, DIALECTS.map(webServers));
