import { type ClientOptions, createClient, type FieldsInit } from "../../../reference/serve/index.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";

/** Our client: makes the requests one after another over one pool, and resolves with their content; rejects when one of them fails. */
const fetching =
  (options: ClientOptions, fields: FieldsInit = []): InProcessClient =>
  async (url, signal, { method, second }) => {
    await using pool = createClient({
      alpn: ["http/1.1"],
      // As many as the longest chain of a case has; the times are those of a server, which a client must not apply.
      http1: { limits: { interims: 20, contentMs: 300, idleMs: 300 } },
      ...options,
      graceMs: 200,
      tls: { verify: false },
    });
    const contents: Uint8Array[] = [];
    for (const one of second === undefined ? [url] : [url, second]) {
      const response = await pool.request(one, { method, signal, fields, ...(method === "POST" ? { body: "touchstone" } : {}) });
      contents.push(await response.body.bytes());
    }
    return Buffer.concat(contents);
  };

export const client = fetching({});
/** Ends its connection after each request. */
export const closing = fetching({}, [["connection", "close"]]);
/** Offers an upgrade to HTTP/2 with its first request. */
export const upgrading = fetching({ alpn: ["h2", "http/1.1"], http2: { h2c: "upgrade" } });
