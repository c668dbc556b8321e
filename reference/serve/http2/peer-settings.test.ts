import { once } from "node:events";
import http2, { type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { Misuse } from "../../core/index.ts";
import { connect, type Client } from "./index.ts";
import type { ConnectOptions } from "../client/options.ts";
import { StreamFailed } from "../errors.ts";
import type { Handler } from "../handler.ts";
import { serve } from "../server/serve.ts";
import type { ServeOptions } from "../server/options.ts";

/** How each side applies the settings that the other has announced. */

const left: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of left.splice(0).reverse()) await clean();
});

/** Our client, connected to our server, and the errors of handlers. */
async function pair(
  handler: Handler,
  client: ConnectOptions = {},
  server: ServeOptions = {},
): Promise<{ client: Client; errors: unknown[] }> {
  const errors: unknown[] = [];
  const serving = await serve(handler, { graceMs: 0, onError: (error) => void errors.push(error), ...server });
  left.push(() => serving.close());
  const connected = await connect(serving.url, { graceMs: 0, ...client });
  left.push(() => connected.close());
  return { client: connected, errors };
}
const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "nothing went wrong",
    (error: unknown) => error,
  );
const hello = (): { status: number; body: string } => ({ status: 200, body: "hello" });
const LONG = "~".repeat(300);

test("client: `settings` are those announced last", async () => {
  const server = http2.createServer({ settings: { maxConcurrentStreams: 7, maxHeaderListSize: 9_000 } });
  const session = once(server, "session") as Promise<[ServerHttp2Session]>;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = await connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { graceMs: 0 });
  left.push(async () => {
    await client.close();
    server.close();
  });
  expect(client.settings).toMatchObject({
    maxConcurrentStreams: 7,
    maxHeaderListSize: 9_000,
    maxFrameSize: 16_384,
    headerTableSize: 4_096,
  });
  (await session)[0].settings({ maxConcurrentStreams: 3 });
  // Its answer to PING comes after the settings.
  await client.ping();
  await expect.poll(() => client.settings?.maxConcurrentStreams).toBe(3);
});

test("a request with more fields than the server accepts: fails with the reason, and others continue", async () => {
  const seen: string[] = [];
  const handler: Handler = ({ path }) => {
    seen.push(path);
    return hello();
  };
  const { client } = await pair(handler, {}, { http2: { settings: { maxHeaderListSize: 400 } } });
  const error = await caught(client.request({ path: "/long", fields: [["x", LONG]] }));
  expect(error).toBeInstanceOf(Misuse);
  expect(String(error)).toContain("the peer accepts 400 (SETTINGS_MAX_HEADER_LIST_SIZE, rfc9113#6.5.2)");
  expect((await client.request({ path: "/short" })).status).toBe(200);
  expect(seen).toEqual(["/short"]);
});

test("a request with longer trailers than the server accepts: reset, with available content or an iteration, and others continue", async () => {
  const { client } = await pair(
    async ({ body }) => ({ status: 200, body: await body.text() }),
    {},
    { http2: { settings: { maxHeaderListSize: 300 } } },
  );
  const trailers = [["x-sum", LONG]] as const;
  async function* slowly(): AsyncGenerator<string> {
    yield "content";
  }
  for (const body of [undefined, "content", slowly()]) {
    const error = await caught(client.request({ method: "POST", trailers, ...(body !== undefined && { body }) }));
    expect(error).toBeInstanceOf(StreamFailed);
    expect(error).toMatchObject({ reason: "aborted" });
    expect(String((error as StreamFailed).cause)).toContain("and the peer accepts 300");
  }
  expect(await (await client.request({ method: "POST", body: "after" })).body.text()).toBe("after");
});

test("such a request from the queue: reset, and the next one is sent", async () => {
  const seen: string[] = [];
  const handler: Handler = async ({ path, body }, { signal }) => {
    seen.push(path);
    signal.addEventListener("abort", () => seen.push(`${path} given up`));
    await body.text().catch(() => {});
    return hello();
  };
  const { client } = await pair(handler, {}, { http2: { settings: { maxConcurrentStreams: 1, maxHeaderListSize: 300 } } });
  const outcomes = [
    client.request({ path: "/first" }),
    caught(client.request({ method: "POST", path: "/second", body: "content", trailers: [["x-sum", LONG]] })),
    client.request({ path: "/third" }),
  ];
  expect(await Promise.all(outcomes)).toMatchObject([{ status: 200 }, { reason: "aborted" }, { status: 200 }]);
  expect(seen).toEqual(["/first", "/second", "/second given up", "/third"]);
});

test("a response with more fields than the client accepts: 500, and onError is called", async () => {
  const handler: Handler = ({ path }) => (path === "/long" ? { status: 200, fields: [["x", LONG]], body: "hello" } : hello());
  const { client, errors } = await pair(handler, { http2: { settings: { maxHeaderListSize: 300 } } });
  expect((await client.request({ path: "/long" })).status).toBe(500);
  expect((await client.request({ path: "/short" })).status).toBe(200);
  expect(errors.map(String)).toEqual([expect.stringContaining("and the peer accepts 300 (SETTINGS_MAX_HEADER_LIST_SIZE")]);
});

test("a client that does not accept even the fields of 500: the stream is reset, and the server continues", async () => {
  const { client } = await pair(hello, { http2: { settings: { maxHeaderListSize: 60 } } });
  for (let again = 0; again < 2; again++) {
    expect(await caught(client.request())).toMatchObject({ reason: "reset", errorCode: "INTERNAL_ERROR" });
  }
  expect(await client.ping()).toBeGreaterThan(0);
});

test("a response with longer trailers than the client accepts: reset, so that it cannot seem complete", async () => {
  const { client, errors } = await pair(() => ({ ...hello(), trailers: [["x-sum", LONG]] }), {
    http2: { settings: { maxHeaderListSize: 300 } },
  });
  const { body } = await client.request();
  expect(await caught(body.text())).toMatchObject({ reason: "reset", errorCode: "INTERNAL_ERROR" });
  expect(errors).toHaveLength(1);
});

test("early hints that the client does not accept: omitted", async () => {
  const handler: Handler = (_, exchange) => {
    exchange.interim(103, [["link", LONG]]);
    exchange.interim(103, [["link", "</a>"]]);
    return hello();
  };
  const { client } = await pair(handler, { http2: { settings: { maxHeaderListSize: 300 } } });
  const { status, interim } = await client.request();
  expect([status, interim.map(({ fields }) => fields.get("link"))]).toEqual([200, ["</a>"]]);
});

/** Pushes a response for each authority, and returns those that the client accepts. */
async function pushed(authorities: (port: string) => string[], client: ConnectOptions, tls: boolean): Promise<string[]> {
  const handler: Handler = ({ authority }, exchange) => {
    for (const other of authorities(authority.split(":").at(-1)!)) exchange.push({ path: "/more", authority: other }, hello());
    return hello();
  };
  const serving = await serve(handler, { graceMs: 0, tls });
  left.push(() => serving.close());
  const connected = await connect(serving.url, {
    graceMs: 0,
    http2: { push: true },
    ...(tls && { tls: { ca: serving.certificate! } }),
    ...client,
  });
  left.push(() => connected.close());
  const { body, pushes } = await connected.request();
  await body.text();
  return pushes.map(({ request }) => request.authority.replace(/\d+$/, "PORT"));
}
const OTHERS = (port: string): string[] => [`127.0.0.1:${port}`, `localhost:${port}`, `example.com:${port}`, "localhost", "127.0.0.1"];

test("pushes in clear text: accepted for the requested origin alone", async () => {
  expect(await pushed(OTHERS, {}, false)).toEqual(["127.0.0.1:PORT"]);
});

test("pushes over TLS: accepted for the hosts of the certificate, on this port", async () => {
  expect(await pushed(OTHERS, {}, true)).toEqual(["127.0.0.1:PORT", "localhost:PORT"]);
});

test("pushes over unverified TLS: accepted for the requested origin alone", async () => {
  expect(await pushed(OTHERS, { tls: { verify: false } }, true)).toEqual(["127.0.0.1:PORT"]);
});
