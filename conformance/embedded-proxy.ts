import { proxy, serve } from "../reference/serve/index.ts";
import type { CheckOptions, ProxySubject } from "./check.ts";
import type { Result } from "./harness/result.ts";

type Perform = (title: string, part: Pick<CheckOptions, "suite" | "subject" | "name" | "only">) => Promise<Result>;

/** Requests that lose their client or their origin are what the cases are about, and no news. */
const QUIET = { onError: () => {}, graceMs: 100 } as const;

/** Our own reverse proxy, in clear text: HTTP/1.1 and HTTP/2 at one address, HTTP/1.1 to the origin. */
const start: ProxySubject["proxy"] = async (origin) => {
  const passing = proxy(`http://${origin}/`);
  const front = await serve(passing.handler, QUIET);
  const stop = async (): Promise<void> => {
    await front.close();
    await passing.close();
  };
  return { url: front.url, stop };
};

/** Our own proxy, judged like anybody's. */
export const ofHttp1Proxy = (only: readonly string[], perform: Perform): Promise<Result> =>
  perform("http1 proxy", { suite: "http1", subject: { proxy: start }, name: "touchstone's own proxy", only });
