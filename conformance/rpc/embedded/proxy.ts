import { proxy, serve } from "../../../reference/serve/index.ts";
import type { StartProxy } from "../../harness/subject/subject.ts";

/** Less than a case waits for a silent origin. */
const BRIEF_MS = 1_500;
/** More than an origin is silent on a busy machine, if it is to answer. */
const PATIENT_MS = 60_000;

/** Our own reverse proxy, in clear text: HTTP/2 on both sides. */
const startWith = async (timeoutMs: number, origin: string): ReturnType<StartProxy> => {
  const passing = proxy(`http://${origin}/`, { alpn: ["h2"], timeoutMs, connectMs: timeoutMs, graceMs: 100 });
  // The cases break off calls on either side: that is not worth a line.
  const front = await serve(passing.handler, { alpn: ["h2"], onError: () => {}, graceMs: 100 });
  const stop = async (): Promise<void> => {
    await front.close();
    await passing.close();
  };
  return { url: front.url, stop };
};
export const startProxy: StartProxy = (origin) => startWith(PATIENT_MS, origin);
/** The same for the cases about its time-out. */
export const startBriefProxy: StartProxy = (origin) => startWith(BRIEF_MS, origin);
