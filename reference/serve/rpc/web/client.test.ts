import { createServer as createHttp2 } from "node:http2";
import type { AddressInfo } from "node:net";
import { create, createFileRegistry, type DescService, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { compressionGzip, connectNodeAdapter } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openChannel } from "../client.ts";
import type { ChannelOptions } from "../options.ts";
import { CallFailed, implement, serveRpc, Status } from "../index.ts";
import { servicesOf } from "../reflect.ts";
import { failure } from "../testing.ts";

/** Our client in the web dialects, with a server that is not ours. */

const CONTRACT = `
syntax = "proto3";
package test;
message Text { string text = 1; }
service Web {
  rpc One(Text) returns (Text);
  rpc Gather(stream Text) returns (Text);
  rpc Spread(Text) returns (stream Text);
  rpc Chat(stream Text) returns (stream Text);
  rpc Look(Text) returns (Text) { option idempotency_level = NO_SIDE_EFFECTS; }
}`;
type Text = { readonly text: string };
const WEB = servicesOf(CONTRACT, "test/client.proto").get("test.Web")!;

function described(): DescService {
  const file = [...(WEB.descriptors ?? [])].map((octets) => fromBinary(FileDescriptorProtoSchema, octets));
  return createFileRegistry(create(FileDescriptorSetSchema, { file })).getService(WEB.name)!;
}
type Context = {
  readonly requestMethod: string;
  readonly requestHeader: Headers;
  readonly responseHeader: Headers;
  readonly responseTrailer: Headers;
  readonly signal: AbortSignal;
};
const implementation: Record<string, unknown> = {
  one: async ({ text }: Text, { requestHeader, responseHeader, responseTrailer, signal }: Context) => {
    if (text === "fail") throw new ConnectError("It is not there: ☺", Code.NotFound, { "x-why": "none" });
    if (text === "never") await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
    responseHeader.set("x-begin", requestHeader.get("x-asked") ?? "");
    responseTrailer.set("x-end-bin", "/wA");
    return { text: text.toUpperCase() };
  },
  gather: async (texts: AsyncIterable<Text>) => ({ text: (await Array.fromAsync(texts)).map(({ text }) => text).join("+") }),
  async *spread({ text }: Text, { responseTrailer }: Context) {
    responseTrailer.set("x-end-bin", "/wA");
    for (const part of text.split(",")) {
      if (part === "fail") throw new ConnectError("Enough.", Code.Aborted);
      await Promise.resolve();
      yield { text: part };
    }
  },
  look: async ({ text }: Text, { requestMethod }: Context) => ({ text: `${requestMethod} ${text}` }),
  async *chat(texts: AsyncIterable<Text>) {
    for await (const { text } of texts) yield { text: `${text}!` };
  },
};

const adapter = connectNodeAdapter({
  routes: (router) => router.service(described(), implementation as Record<never, never>),
  acceptCompression: [compressionGzip],
  compressMinBytes: 0,
});
const server = createHttp2(adapter as Parameters<typeof createHttp2>[1] & object);
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => void server.close());

async function* given(...texts: string[]): AsyncGenerator<Text> {
  for (const text of texts) {
    await Promise.resolve();
    yield { text };
  }
}
type Stubs = Record<string, (request: unknown, options?: object) => Promise<Text> & AsyncIterable<Text>>;
const opened = (dialect: "connect" | "grpc-web", more: ChannelOptions) => openChannel(url, { dialect, graceMs: 50, ...more });

describe.each([
  ["connect", {}],
  ["connect", { encoding: "gzip" }],
  ["connect", { format: "json" }],
  ["connect", { format: "json", encoding: "gzip", get: true }],
  ["connect", { get: true }],
  ["grpc-web", {}],
] as const)("our client in the dialect %s with %o", (dialect, more) => {
  const stubs = (channel: ReturnType<typeof opened>): Stubs => channel.client(WEB) as unknown as Stubs;

  test("a unary call, with metadata both ways", async () => {
    await using channel = opened(dialect, more);
    let [begin, end]: unknown[] = [];
    const answer = await stubs(channel)["one"]!(
      { text: "a".repeat(2_000) },
      {
        metadata: { "x-asked": "1" },
        onHeaders: (metadata: ReadonlyMap<string, unknown>) => (begin = metadata.get("x-begin")),
        onTrailers: (metadata: ReadonlyMap<string, unknown>) => (end = metadata.get("x-end-bin")),
      },
    );
    expect([answer.text, begin, end]).toEqual(["A".repeat(2_000), "1", Uint8Array.of(255, 0)]);
  });
  test("a unary call that fails has its message and its metadata", async () => {
    await using channel = opened(dialect, more);
    const failed = await failure(stubs(channel)["one"]!({ text: "fail" }));
    expect(failed).toMatchObject({ status: Status.NOT_FOUND, message: "It is not there: ☺" });
    expect(failed.metadata.get("x-why")).toBe("none");
  });
  test("a deadline passes", async () => {
    await using channel = opened(dialect, more);
    expect(await failure(stubs(channel)["one"]!({ text: "never" }, { timeoutMs: 60 }))).toMatchObject({ status: Status.DEADLINE_EXCEEDED });
  });
  test("a stream of responses that fails behind two messages", async () => {
    await using channel = opened(dialect, more);
    const texts: string[] = [];
    const read = async (): Promise<void> => {
      for await (const { text } of stubs(channel)["spread"]!({ text: "a,b,fail" })) texts.push(text);
    };
    expect(await failure(read())).toMatchObject({ status: Status.ABORTED, message: "Enough." });
    expect(texts).toEqual(["a", "b"]);
  });
  test("a method without side effects is called by GET if the channel wants it", async () => {
    await using channel = opened(dialect, more);
    const answer = await stubs(channel)["look"]!({ text: "ä+b?c=d&e/f" });
    expect(answer.text).toBe(`${"get" in more ? "GET" : "POST"} ä+b?c=d&e/f`);
  });
  test("streams of requests, and both streams", async () => {
    await using channel = opened(dialect, more);
    expect((await stubs(channel)["gather"]!(given("a", "b", "c"))).text).toBe("a+b+c");
    expect((await Array.fromAsync(stubs(channel)["chat"]!(given("a", "b")))).map(({ text }) => text)).toEqual(["a!", "b!"]);
  });
});

test("options of another dialect are refused", () => {
  expect(() => opened("grpc-web", { format: "json" })).toThrow("for the dialect connect");
  expect(() => opened("grpc-web", { get: true })).toThrow("for the dialect connect");
  expect(() => opened("connect", { text: true })).toThrow("for the dialect grpc-web");
});

test("content in text, with our own server: no other one here reads it", async () => {
  const own = await serveRpc([implement(WEB, { one: ({ text }: Text) => ({ text: text.toUpperCase() }) })], { dialect: "grpc-web" });
  await using channel = openChannel(own.url, { dialect: "grpc-web", text: true, graceMs: 50 });
  const { one } = channel.client(WEB) as unknown as Stubs;
  expect((await one!({ text: "a".repeat(70_001) })).text).toBe("A".repeat(70_001));
  expect((await failure((channel.client(WEB) as unknown as Stubs)["gather"]!(given("a")))).status).toBe(Status.UNIMPLEMENTED);
  await own.close();
});

describe("answers that are no good", () => {
  const answering = async (
    headers: Record<string, string>,
    status: number,
    body: Uint8Array,
    dialect: "connect" | "grpc-web",
    method = "spread",
  ) => {
    const other = createHttp2((_, response) => {
      response.writeHead(status, headers);
      response.end(body);
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    await using channel = openChannel(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`, { dialect, graceMs: 50 });
    const call = (channel.client(WEB) as unknown as Stubs)[method]!({ text: "a" });
    const failed = await failure(method === "one" ? call : Array.fromAsync(call));
    other.close();
    return failed;
  };
  const CONNECT = { "content-type": "application/connect+proto" };
  const framed = (flags: number, text: string): Uint8Array => Uint8Array.of(flags, 0, 0, 0, text.length, ...Buffer.from(text));

  test.each([
    ["no end", CONNECT, 200, new Uint8Array(), "connect", Status.UNKNOWN],
    ["an end that is no JSON", CONNECT, 200, framed(2, "{"), "connect", Status.UNKNOWN],
    ["an end cut short", CONNECT, 200, framed(2, "{}").subarray(0, 6), "connect", Status.UNKNOWN],
    ["messages behind the end", CONNECT, 200, Buffer.concat([framed(2, "{}"), framed(0, "")]), "connect", Status.UNKNOWN],
    ["half an envelope", CONNECT, 200, Uint8Array.of(0, 0), "connect", Status.UNKNOWN],
    ["another content type", { "content-type": "text/html" }, 200, framed(2, "{}"), "connect", Status.UNKNOWN],
    ["the HTTP status 503", {}, 503, new Uint8Array(), "connect", Status.UNAVAILABLE],
    ["no trailers", { "content-type": "application/grpc-web" }, 200, framed(0, ""), "grpc-web", Status.UNKNOWN],
    ["the HTTP status 404", {}, 404, new Uint8Array(), "grpc-web", Status.UNIMPLEMENTED],
  ] as const)("%s", async (_, headers, status, body, dialect, found) => {
    expect((await answering(headers, status, body, dialect)).status).toBe(found);
  });
  test.each([
    ["an error without a code is that of its HTTP status", 503, '{"message":"busy"}', Status.UNAVAILABLE, "busy"],
    ["an error that is no JSON", 401, "go away", Status.UNAUTHENTICATED, "The response has HTTP status 401, but no error of the protocol."],
  ])("unary: %s", async (_, status, text, found, message) => {
    const failed: CallFailed = await answering({ "content-type": "application/json" }, status, Buffer.from(text), "connect", "one");
    expect([failed.status, failed.message]).toEqual([found, message]);
  });
});
