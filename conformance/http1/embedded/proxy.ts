import { proxy, serve } from "../../../reference/serve/index.ts";
import type { StartProxy } from "../../harness/subject/subject.ts";

/** The cases break off requests on either side: that is not worth a line. Half-closed clients get their responses (rfc9112#9.6). */
const QUIET = { onError: () => {}, graceMs: 100, http1: { halfClose: "ignore" } } as const;

/** Our own reverse proxy, in clear text: HTTP/1.1 and HTTP/2 at one address, HTTP/1.1 to the origin. */
export const startProxy: StartProxy = async (origin) => {
  // A case waits longer than this for an origin that stays silent, and no other case is silent for so long.
  const passing = proxy(`http://${origin}/`, { timeoutMs: 1_000 });
  // A client that ends its half still wants its response (rfc9112#9.6, a SHOULD).
  const front = await serve(passing.handler, { ...QUIET, http1: { halfClose: "ignore" } });
  const stop = async (): Promise<void> => {
    await front.close();
    await passing.close();
  };
  return { url: front.url, stop };
};
