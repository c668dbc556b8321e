import { proxy, serve } from "../../../reference/serve/index.ts";
import type { StartProxy } from "../../harness/subject/subject.ts";

/** Less than a case waits for a silent origin, and more than any other case is silent. */
const TIMEOUT_MS = 1_500;

/** Our own reverse proxy, in clear text: HTTP/2 on both sides. */
export const startProxy: StartProxy = async (origin) => {
  const passing = proxy(`http://${origin}/`, { alpn: ["h2"], timeoutMs: TIMEOUT_MS, connectMs: TIMEOUT_MS, graceMs: 100 });
  // The cases break off calls on either side: that is not worth a line.
  const front = await serve(passing.handler, { alpn: ["h2"], onError: () => {}, graceMs: 100 });
  const stop = async (): Promise<void> => {
    await front.close();
    await passing.close();
  };
  return { url: front.url, stop };
};
