import { createClient } from "../reference/serve/index.ts";
import type { CheckOptions } from "./check.ts";
import type { Result } from "./harness/result.ts";
import type { InProcessClient } from "./harness/subject.ts";

type Perform = (title: string, part: Pick<CheckOptions, "suite" | "subject" | "name" | "only" | "tls">) => Promise<Result>;

/** Asks as any command does, one request after another over one pool, and hands out what came: fails when one of them failed. */
const client: InProcessClient = async (url, signal, { method, second }) => {
  await using pool = createClient({
    alpn: ["http/1.1"],
    graceMs: 200,
    tls: { verify: false },
    // What a user agent owes to servers of old: a fold is read as a space (rfc9112#5.2).
    http1: { lenient: { obsFold: true } },
  });
  const contents: Uint8Array[] = [];
  for (const one of second === undefined ? [url] : [url, second]) {
    const response = await pool.request(one, { method, signal, ...(method === "POST" ? { body: "touchstone" } : {}) });
    contents.push(await response.body.bytes());
  }
  return Buffer.concat(contents);
};

/** Our own client of HTTP/1.1, judged like anybody's. */
export const ofHttp1Client = (only: readonly string[], perform: Perform): Promise<Result> =>
  perform("http1 client", { suite: "http1", subject: { client }, name: "touchstone's own client", only });
