import type { Party, Started } from "../../../harness/impostors/catch.ts";
import { writeHints } from "../../../harness/impostors/hints.ts";
import type { WebDialect } from "../../../wire/rpc/web-forms.ts";
import { webClientCases } from "../../cases/web-client/load.ts";
import { WebClientDriver } from "../../driver/web-client/client.ts";
import type { WebClientCase } from "../../web-client-vocabulary.ts";
import { wrongWebClient } from "./client.ts";
import { WEB_CLIENT_FLAWS } from "./flaws.ts";

export const HINTS = new URL("hints.json", import.meta.url);
/** Impostors that must pass nothing fail every case: a case that only they fail counts as uncaught. */
export const MUTE = ["silent", "slams"] as const;
/** How long to wait for silence. Few impostors are silent: a longer one, so that none fails a case because the machine is busy. */
const SILENCE_MS = { usual: 2_000, mute: 300 };

/** The cases for clients of a dialect, with the impostors that must fail them. */
export const webClients = (dialect: WebDialect): Party<WebClientCase> => ({
  cases: webClientCases(dialect),
  names: Object.keys(WEB_CLIENT_FLAWS).filter((name) => !MUTE.some((mute) => mute === name)),
  start: async (name): Promise<Started<WebClientCase>> => {
    const timeout = MUTE.some((mute) => mute === name) ? SILENCE_MS.mute : SILENCE_MS.usual;
    const driver = new WebClientDriver({ client: wrongWebClient(name), timeout, dialect });
    return { driver, stop: () => driver.close() };
  },
  concurrency: 16,
  abreast: 2,
});
export const DIALECTS = ["connect", "grpc-web"] as const satisfies readonly WebDialect[];

if (import.meta.main) await writeHints(HINTS, DIALECTS.map(webClients));
