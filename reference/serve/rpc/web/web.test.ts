import { create, createFileRegistry, type DescService, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { type CallOptions, Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { servicesOf } from "../reflect.ts";
import { CallFailed, implement, serveRpc, Status } from "../index.ts";

/** The web dialects of our server, with a client that is not ours and with plain requests. */

const CONTRACT = `
syntax = "proto3";
package test;
message Text { string text = 1; int64 number = 2; }
service Web {
  rpc Get(Text) returns (Text) { option idempotency_level = NO_SIDE_EFFECTS; }
  rpc Post(Text) returns (Text);
  rpc Gather(stream Text) returns (Text);
  rpc Spread(Text) returns (stream Text);
  rpc Chat(stream Text) returns (stream Text);
}`;
type Text = { readonly text: string; readonly number?: unknown };
const WEB = servicesOf(CONTRACT, "test/web.proto").get("test.Web")!;

const implementation = {
  get: (message: Text) => message,
  post: async ({ text }: Text, call: Parameters<Parameters<typeof implement>[1][string] & object>[1]) => {
    if (text === "never") await new Promise((_, reject) => call.signal.addEventListener("abort", () => reject(new Error("late"))));
    if (text === "fail") throw new CallFailed(Status.NOT_FOUND, "It is not there: ☺");
    call.sendHeaders({ "x-begin": String(call.metadata.get("x-asked") ?? "") });
    call.setTrailers({ "x-end": "2", "x-end-bin": Uint8Array.of(255, 0) });
    return { text: text.toUpperCase() };
  },
  gather: async (texts: AsyncIterable<Text>) => ({ text: (await Array.fromAsync(texts)).map(({ text }) => text).join("+") }),
  async *spread({ text }: Text, call: { readonly signal: AbortSignal }) {
    for (const part of text.split(",")) {
      if (part === "fail") throw new CallFailed(Status.ABORTED, "Enough.");
      if (part === "never") await new Promise((_, reject) => call.signal.addEventListener("abort", () => reject(new Error("late"))));
      await Promise.resolve();
      yield { text: part };
    }
  },
  async *chat(texts: AsyncIterable<Text>) {
    for await (const { text } of texts) yield { text: `${text}!` };
  },
};

let server: Awaited<ReturnType<typeof serveRpc>>;
beforeAll(async () => {
  server = await serveRpc([implement(WEB, implementation)], {
    dialect: ["grpc", "grpc-web", "connect"],
    maxMessageOctets: 100_000,
    graceMs: 50,
    onCallError: () => {},
  });
});
afterAll(() => server.close());

function described(): DescService {
  const file = [...(WEB.descriptors ?? [])].map((octets) => fromBinary(FileDescriptorProtoSchema, octets));
  return createFileRegistry(create(FileDescriptorSetSchema, { file })).getService(WEB.name)!;
}
type AnyClient = Record<string, (request: unknown, options?: CallOptions) => Promise<Text> & AsyncIterable<Text>>;
const clientOf = (transport: Transport): AnyClient => createClient(described(), transport) as unknown as AnyClient;
const failureOf = async (call: Promise<unknown>): Promise<ConnectError> =>
  ConnectError.from(
    await call.then(
      () => "no failure",
      (error: unknown) => error,
    ),
  );
async function* given(...texts: string[]): AsyncGenerator<Text> {
  for (const text of texts) {
    await Promise.resolve();
    yield { text };
  }
}

const TRANSPORTS: readonly (readonly [name: string, make: (baseUrl: string) => Transport])[] = [
  ...(["1.1", "2"] as const).flatMap((httpVersion): [string, (baseUrl: string) => Transport][] => [
    [`connect in JSON over HTTP/${httpVersion}`, (baseUrl) => createConnectTransport({ baseUrl, httpVersion, useBinaryFormat: false })],
    [`connect in octets over HTTP/${httpVersion}`, (baseUrl) => createConnectTransport({ baseUrl, httpVersion, useBinaryFormat: true })],
    [`grpc-web over HTTP/${httpVersion}`, (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion })],
  ]),
  ["grpc beside them", (baseUrl) => createGrpcTransport({ baseUrl })],
];

describe.each(TRANSPORTS)("@connectrpc/connect-node: %s", (_, make) => {
  const client = (): AnyClient => clientOf(make(server.url));

  test("a unary call, with metadata both ways", async () => {
    let [begin, end, octets]: (string | null)[] = [];
    const answer = await client()["post"]!(
      { text: "a" },
      {
        headers: { "x-asked": "1" },
        onHeader: (fields) => (begin = fields.get("x-begin")),
        onTrailer: (fields) => ([end, octets] = [fields.get("x-end"), fields.get("x-end-bin")]),
      },
    );
    expect([answer.text, begin, end, octets]).toEqual(["A", "1", "2", "/wA"]);
  });
  test("a unary call that fails", async () => {
    expect(await failureOf(client()["post"]!({ text: "fail" }))).toMatchObject({ code: Code.NotFound, rawMessage: "It is not there: ☺" });
  });
  test("a call whose deadline passes", async () => {
    expect(await failureOf(client()["post"]!({ text: "never" }, { timeoutMs: 60 }))).toMatchObject({ code: Code.DeadlineExceeded });
  });
  test("a stream of responses, and one that fails", async () => {
    const texts: string[] = [];
    const read = async (): Promise<void> => {
      for await (const { text } of client()["spread"]!({ text: "a,b,fail" })) texts.push(text);
    };
    expect(await failureOf(read())).toMatchObject({ code: Code.Aborted, rawMessage: "Enough." });
    expect(texts).toEqual(["a", "b"]);
  });
  test("a stream of requests", async () => {
    expect((await client()["gather"]!(given("a", "b", "c"))).text).toBe("a+b+c");
  });
});

test.each(TRANSPORTS.filter(([name]) => !name.endsWith("1.1")))("@connectrpc/connect-node: %s: both streams", async (_, make) => {
  const texts = (await Array.fromAsync(clientOf(make(server.url))["chat"]!(given("a", "b")))).map(({ text }) => text);
  expect(texts).toEqual(["a!", "b!"]);
});

test("connect: the real client uses GET for a method without side effects", async () => {
  const seen: string[] = [];
  const transport = createConnectTransport({
    baseUrl: server.url,
    httpVersion: "1.1",
    useHttpGet: true,
    interceptors: [(next) => (request) => (seen.push(request.requestMethod), next(request))],
  });
  const answer = await clientOf(transport)["get"]!({ text: "ä+b", number: 2n ** 60n });
  expect([answer.text, answer.number]).toEqual(["ä+b", 2n ** 60n]);
});

const post = (
  path: string,
  type: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Response> => fetch(new URL(path, server.url), { method: "POST", headers: { "content-type": type, ...headers }, body });
const JSON_TYPE = "application/json";

describe("connect, by plain requests", () => {
  test("a stream that is late ends with deadline_exceeded behind its messages", async () => {
    const head = Uint8Array.of(0, 0, 0, 0, 18);
    const body = Buffer.concat([head, Buffer.from('{"text":"a,never"}')]);
    const response = await post("/test.Web/Spread", "application/connect+json", Uint8Array.from(body), { "connect-timeout-ms": "60" });
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/"a"}.*"error":{"code":"deadline_exceeded"/s);
  });
  test("trailing metadata of a unary call stands in the headers", async () => {
    const response = await post("/test.Web/Post", JSON_TYPE, '{"text":"a"}');
    expect(Object.fromEntries(response.headers)).toMatchObject({ "trailer-x-end": "2", "trailer-x-end-bin": "/wA" });
  });
  test.each([
    ["a format that is not known", "/test.Web/Post", "application/xml", "", {}, 415],
    ["a unary content type for a stream", "/test.Web/Chat", JSON_TYPE, "{}", {}, 415],
    ["another version of the protocol", "/test.Web/Post", JSON_TYPE, "{}", { "connect-protocol-version": "2" }, 400],
    ["a timeout that is no number", "/test.Web/Post", JSON_TYPE, "{}", { "connect-timeout-ms": "1s" }, 400],
    ["an encoding that is not known", "/test.Web/Post", JSON_TYPE, "{}", { "content-encoding": "br" }, 501],
    ["a malformed message", "/test.Web/Post", JSON_TYPE, '{"text":7}', {}, 400],
    ["a method that is not there", "/test.Web/Nothing", JSON_TYPE, "{}", {}, 501],
    ["a message that is too long", "/test.Web/Post", JSON_TYPE, `{"text":"${"a".repeat(100_000)}"}`, {}, 429],
    ["a deadline that has passed", "/test.Web/Post", JSON_TYPE, "{}", { "connect-timeout-ms": "0" }, 504],
  ])("%s", async (_, path, type, body, headers, status) => {
    const response = await post(path, type, body, headers as Record<string, string>);
    expect([response.status, response.headers.get("content-type")]).toEqual([status, status === 415 ? null : JSON_TYPE]);
  });
  test.each([
    ["a method with side effects", "Post?encoding=json&message=%7B%7D", 405],
    ["no message", "Get?encoding=json", 400],
    ["octets that are not Base64", "Get?encoding=proto&base64=1&message=%25", 400],
    ["no format", "Get?message=%7B%7D", 415],
    ["padding, and parameters of others", "Get?x=1&message=CgFh&encoding=proto&base64=1&connect=v1", 200],
  ])("GET with %s", async (_, target, status) => {
    expect((await fetch(new URL(`/test.Web/${target}`, server.url))).status).toBe(status);
  });
});

describe("grpc-web, by plain requests", () => {
  const MESSAGE = Uint8Array.of(0, 0, 0, 0, 3, 0x0a, 1, 0x61);
  test("text with padding inside is read, and answered in text", async () => {
    const body = `${MESSAGE.subarray(0, 4).toBase64()}${MESSAGE.subarray(4).toBase64()}`;
    const response = await post("/test.Web/Get", "application/grpc-web-text", body);
    expect(response.headers.get("content-type")).toBe("application/grpc-web-text");
    const parts = (await response.text()).match(/[^=]+={0,2}/g) ?? [];
    const octets = Buffer.concat(parts.map((part) => Buffer.from(part, "base64")));
    expect(Uint8Array.from(octets.subarray(0, MESSAGE.length))).toEqual(MESSAGE);
    expect(octets.subarray(MESSAGE.length).toString()).toContain("grpc-status: 0\r\n");
  });
  test("octets are answered in text if the client accepts it", async () => {
    const response = await post("/test.Web/Get", "application/grpc-web+proto", MESSAGE, { accept: "application/grpc-web-text" });
    expect(response.headers.get("content-type")).toBe("application/grpc-web-text+proto");
  });
  test("what is not Base64 fails the call", async () => {
    const response = await post("/test.Web/Get", "application/grpc-web-text", "AAAA!AAA");
    expect([response.status, response.headers.get("grpc-status")]).toEqual([200, "13"]);
  });
  test("a call without a message has its trailers in its headers", async () => {
    const response = await post("/test.Web/Nothing", "application/grpc-web", MESSAGE);
    expect([response.headers.get("grpc-status"), await response.text()]).toEqual(["12", ""]);
  });
});
