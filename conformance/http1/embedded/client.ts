import { type ClientOptions, connect, createClient, type FieldsInit, type StreamFailed } from "../../../reference/serve/index.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";

/** What the case needs of the options of every client. */
const OPTIONS: ClientOptions = {
  alpn: ["http/1.1"],
  // As many as the longest chain of a case has; the times are those of a server, which a client must not apply.
  http1: { limits: { interims: 20, contentMs: 300, idleMs: 300 } },
};

/** An error with all that it tells a program, in words. */
function inFull(error: unknown): Error {
  const { message, reason, fault, cause } = error as Partial<StreamFailed>;
  const words = [reason, message, fault === undefined ? undefined : `${fault.name} ${fault.spec}`];
  const why = cause instanceof Error ? [`because ${cause.message}`] : [];
  return new Error([...words.filter((one) => one !== undefined), ...why].join(", "), { cause: error });
}

/** Our client: makes the requests one after another over one pool, and resolves with their content; rejects when one of them fails. */
const fetching =
  (options: ClientOptions, fields: FieldsInit = []): InProcessClient =>
  async (url, signal, { method, second }) => {
    await using pool = createClient({
      ...OPTIONS,
      ...options,
      graceMs: 200,
      tls: { verify: false },
    });
    const contents: Uint8Array[] = [];
    for (const one of second === undefined ? [url] : [url, second]) {
      const request = { method, signal, fields, ...(method === "POST" ? { body: "touchstone" } : {}) };
      const content = pool.request(one, request).then(({ body }) => body.bytes());
      contents.push(await content.catch((error: unknown) => Promise.reject(inFull(error))));
    }
    return Buffer.concat(contents);
  };

export const client = fetching({});
/** Ends its connection after each request. */
export const closing = fetching({}, [["connection", "close"]]);
/** Offers an upgrade to HTTP/2 with its first request. */
export const upgrading = fetching({ alpn: ["h2", "http/1.1"], http2: { h2c: "upgrade" } });

/** Makes its requests at once over one connection, where the second waits for the first. */
export const queuing: InProcessClient = async (url, signal, { second }) => {
  await using client = await connect(url, { ...OPTIONS, graceMs: 200, tls: { verify: false } });
  const paths = [url, ...(second === undefined ? [] : [second])].map((one) => new URL(one).pathname);
  const contents = paths.map(async (path) => (await client.request({ path, signal })).body.bytes());
  const settled = await Promise.allSettled(contents);
  const failed = settled.find((one) => one.status === "rejected");
  if (failed !== undefined) throw inFull(failed.reason);
  return Buffer.concat(settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])));
};
