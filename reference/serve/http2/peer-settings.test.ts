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

/** What either side makes of the settings that the other has announced. */

const left: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of left.splice(0).reverse()) await clean();
});

/** A client of our own server, and what handlers threw. */
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

test("client: sees what the server has announced, and what it announces later", async () => {
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
  // Its answer to a PING comes after the settings.
  await client.ping();
  await expect.poll(() => client.settings?.maxConcurrentStreams).toBe(3);
});

test("request: with more fields than the server takes it fails here, with its reason, and others go on", async () => {
  const seen: string[] = [];
  const handler: Handler = ({ path }) => {
    seen.push(path);
    return hello();
  };
  const { client } = await pair(handler, {}, { http2: { settings: { maxHeaderListSize: 400 } } });
  const error = await caught(client.request({ path: "/long", fields: [["x", LONG]] }));
  expect(error).toBeInstanceOf(Misuse);
  expect(String(error)).toContain("the peer takes 400 (SETTINGS_MAX_HEADER_LIST_SIZE, rfc9113#6.5.2)");
  expect((await client.request({ path: "/short" })).status).toBe(200);
  expect(seen).toEqual(["/short"]);
});

test("request: with longer trailers than the server takes it is given up, whether its content is there at once or not, and others go on", async () => {
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
    expect(String((error as StreamFailed).cause)).toContain("and the peer takes 300");
  }
  expect(await (await client.request({ method: "POST", body: "after" })).body.text()).toBe("after");
});

test("request: that has waited for a stream is given up in the same way, and the next in line has its turn", async () => {
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

test("response: with more fields than the client takes it becomes a 500, and the server's owner hears why", async () => {
  const handler: Handler = ({ path }) => (path === "/long" ? { status: 200, fields: [["x", LONG]], body: "hello" } : hello());
  const { client, errors } = await pair(handler, { http2: { settings: { maxHeaderListSize: 300 } } });
  expect((await client.request({ path: "/long" })).status).toBe(500);
  expect((await client.request({ path: "/short" })).status).toBe(200);
  expect(errors.map(String)).toEqual([expect.stringContaining("and the peer takes 300 (SETTINGS_MAX_HEADER_LIST_SIZE")]);
});

test("response: for a client that takes not even the fields of a 500 the stream is reset, and the server goes on", async () => {
  const { client } = await pair(hello, { http2: { settings: { maxHeaderListSize: 60 } } });
  for (let again = 0; again < 2; again++) {
    expect(await caught(client.request())).toMatchObject({ reason: "reset", errorCode: "INTERNAL_ERROR" });
  }
  expect(await client.ping()).toBeGreaterThan(0);
});

test("response: longer trailers than the client takes cut it off, so that nobody takes it for whole", async () => {
  const { client, errors } = await pair(() => ({ ...hello(), trailers: [["x-sum", LONG]] }), {
    http2: { settings: { maxHeaderListSize: 300 } },
  });
  const { body } = await client.request();
  expect(await caught(body.text())).toMatchObject({ reason: "reset", errorCode: "INTERNAL_ERROR" });
  expect(errors).toHaveLength(1);
});

test("early hints that the client does not take are left out", async () => {
  const handler: Handler = (_, exchange) => {
    exchange.interim(103, [["link", LONG]]);
    exchange.interim(103, [["link", "</a>"]]);
    return hello();
  };
  const { client } = await pair(handler, { http2: { settings: { maxHeaderListSize: 300 } } });
  const { status, interim } = await client.request();
  expect([status, interim.map(({ fields }) => fields.get("link"))]).toEqual([200, ["</a>"]]);
});

/** Pushes a response for each authority, and tells which of them the client has taken. */
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

test("pushes in clear text: of the origin that was asked, and of no other", async () => {
  expect(await pushed(OTHERS, {}, false)).toEqual(["127.0.0.1:PORT"]);
});

test("pushes over TLS: of the hosts that the certificate covers, on this port", async () => {
  expect(await pushed(OTHERS, {}, true)).toEqual(["127.0.0.1:PORT", "localhost:PORT"]);
});

test("pushes over TLS that nobody has verified: of the origin that was asked", async () => {
  expect(await pushed(OTHERS, { tls: { verify: false } }, true)).toEqual(["127.0.0.1:PORT"]);
});
