import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { CallFailed, type ServerCall, Status } from "../../rpc/index.ts";
import type { RpcServeOptions } from "./options.ts";
import { implement, serveRpc } from "./server.ts";
import { answered, begin, call, ECHO, ECHOES, envelope, messageOf, started, statusOf } from "./testing.ts";

test("a unary call gets headers, a message, and trailers with the status OK", async () => {
  await using at = await started();
  const got = await call(at.session, "One", ["hello"]);
  expect(got.messages).toEqual(["HELLO"]);
  expect(got.headers).toMatchObject({
    ":status": 200,
    "content-type": "application/rpc",
    "rpc-accept-encoding": "identity,gzip,deflate,zstd",
  });
  expect(got.headers).not.toHaveProperty("date");
  expect(Object.entries(got.trailers ?? {})).toEqual([["rpc-status", "0"]]);
});

test("the dialect grpc has its own names", async () => {
  await using at = await started(ECHOES, { dialect: "grpc" });
  const got = await call(at.session, "One", ["hello"], { "content-type": "application/grpc+proto" });
  expect(got.messages).toEqual(["HELLO"]);
  expect(Object.entries(got.trailers ?? {})).toEqual([["grpc-status", "0"]]);
  expect((await call(at.session, "One", ["hello"])).headers[":status"]).toBe(415);
});

test("client, server and bidirectional streaming", async () => {
  await using at = await started();
  expect((await call(at.session, "Gather", ["a", "b", "c"])).messages).toEqual(["a+b+c"]);
  expect((await call(at.session, "Gather", [])).messages).toEqual([""]);
  expect((await call(at.session, "Spread", ["x,y,z"])).messages).toEqual(["x", "y", "z"]);
  const chat = begin(at.session, "Chat");
  chat.write(envelope("first"));
  const [data] = (await once(chat, "data")) as [Buffer];
  expect(data.subarray(5).toString()).toBe("first!");
  chat.write(envelope("second"));
  chat.end();
  const got = await answered(chat);
  expect(got.messages).toEqual(["second!"]);
  expect(statusOf(got)).toBe("0");
});

test("a stream without messages gets trailers only", async () => {
  await using at = await started();
  const got = await call(at.session, "Chat", []);
  expect(got.trailers).toBeUndefined();
  expect(got.headers).toMatchObject({ ":status": 200, "content-type": "application/rpc", "rpc-status": "0" });
});

test.each([
  ["another content type", { "content-type": "application/json" }, 415],
  ["no content type", { "content-type": undefined }, 415],
  ["a format that the server does not have", { "content-type": "application/rpc+json" }, 415],
  ["another method", { ":method": "PUT" }, 405],
])("%s is not a call", async (_, headers, status) => {
  await using at = await started();
  const got = await call(at.session, "One", ["hello"], headers);
  expect(got.headers[":status"]).toBe(status);
  expect(statusOf(got)).toBeUndefined();
});

test("unknown services and methods, and methods that are not implemented, are UNIMPLEMENTED", async () => {
  await using at = await started({ one: ECHOES.one });
  for (const path of [
    "/test.Echo/None",
    "/other.Echo/One",
    "/test.Echo/Gather",
    "/",
    "/test.echo/one",
    "/test.Echo/One/",
    "/test.Echo/One?x",
  ]) {
    const got = await call(at.session, "", ["hello"], { ":path": path });
    expect([path, got.headers[":status"], statusOf(got), messageOf(got)]).toEqual([path, 200, "12", `The server has no method ${path}.`]);
    expect(got.trailers).toBeUndefined();
  }
});

test("a path without a slash reaches neither interceptor nor handler", async () => {
  const seen: string[] = [];
  const one = vi.fn(ECHOES.one);
  const options: RpcServeOptions = {
    interceptors: [
      (request, { path }, next) => {
        seen.push(path);
        return next(request);
      },
    ],
  };
  await using at = await started({ one }, options);
  const got = await call(at.session, "", ["hello"], { ":path": "test.Echo/One" });
  // A malformed request (rfc9113#8.3.1).
  expect([got.headers[":status"], got.messages, got.code]).toEqual([400, [], 1]);
  expect(seen).toEqual([]);
  expect(one).not.toHaveBeenCalled();
  expect((await call(at.session, "One", ["hello"])).messages).toEqual(["HELLO"]);
  expect(seen).toEqual(["/test.Echo/One"]);
});

test("metadata arrives, and leaves in headers and trailers", async () => {
  await using at = await started({
    one: (_, { metadata, sendHeaders: _send, ...rest }) => {
      void rest;
      return [...metadata].map(({ name, value }) => `${name}=${typeof value === "string" ? value : value.toHex()}`).join(" ");
    },
    async *spread(_, server) {
      server.sendHeaders({ early: "yes", "octets-bin": Uint8Array.of(1, 2) });
      server.setTrailers([{ name: "late", value: "too" }]);
      await Promise.resolve();
      yield "x";
    },
  });
  const got = await call(at.session, "One", [""], { "x-a": "1", "x-b-bin": "AQI=" });
  expect(got.messages).toEqual(["x-a=1 x-b-bin=0102"]);
  const spread = await call(at.session, "Spread", [""]);
  expect(spread.headers).toMatchObject({ early: "yes", "octets-bin": "AQI" });
  expect(spread.trailers).toMatchObject({ late: "too", "rpc-status": "0" });
});

test("headers leave before the response when the handler says so", async () => {
  const gate = Promise.withResolvers<string>();
  await using at = await started({
    one: (_, server) => {
      server.sendHeaders({ early: "yes" });
      expect(() => server.sendHeaders()).toThrow("the headers have been sent");
      return gate.promise;
    },
  });
  const stream = begin(at.session, "One");
  stream.end(envelope(""));
  const [headers] = (await once(stream, "response")) as [Record<string, string>];
  expect(headers["early"]).toBe("yes");
  gate.resolve("late");
  const got = await answered(stream);
  expect(got.messages).toEqual(["late"]);
  expect(statusOf(got)).toBe("0");
});

test("what a handler throws becomes the status: CallFailed as it is, anything else UNKNOWN without its words", async () => {
  const failed: unknown[] = [];
  await using at = await started(
    {
      one: (text) => {
        if (text === "secret") throw new Error("the password is 1234");
        throw new CallFailed(Status.NOT_FOUND, "no ☃", { details: Uint8Array.of(1), metadata: { reason: "winter" } });
      },
      async *spread() {
        yield "a";
        await Promise.resolve();
        throw new CallFailed(Status.ABORTED, "enough");
      },
    },
    { onCallError: (error) => failed.push(error) },
  );
  const got = await call(at.session, "One", ["x"]);
  expect(got.trailers).toBeUndefined();
  expect(got.headers).toMatchObject({ "rpc-status": "5", "rpc-message": "no %E2%98%83", "rpc-status-details-bin": "AQ", reason: "winter" });
  expect(failed).toEqual([]);
  const secret = await call(at.session, "One", ["secret"]);
  expect([statusOf(secret), messageOf(secret)]).toEqual(["2", "The handler failed."]);
  expect(failed).toHaveLength(1);
  const spread = await call(at.session, "Spread", ["x"]);
  expect(spread.messages).toEqual(["a"]);
  expect(spread.trailers).toMatchObject({ "rpc-status": "10", "rpc-message": "enough" });
});

test.each([
  ["no message", [], "12", "The server received no message where the method permits one."],
  ["two messages", ["a", "b"], "12", "The server received more than one message where the method permits one."],
  ["a message that does not decode", ["undecodable"], "13", "A message of 11 octets cannot be decoded: it is not text"],
  ["half a message", [envelope("hello").subarray(0, 7)], "13", "The server received a stream that ends inside a message."],
  ["reserved flags", [Uint8Array.of(2, 0, 0, 0, 0)], "13", "The server received a message with reserved flags: 2."],
  [
    "a message above the limit",
    ["x".repeat(101)],
    "8",
    "The server received a message of 101 octets, more than its limit of 100 octets for a message.",
  ],
] as const)("a unary method refuses %s", async (_, messages, status, words) => {
  const one = vi.fn(ECHOES.one);
  await using at = await started({ one }, { maxMessageOctets: 100 });
  const got = await call(at.session, "One", messages);
  expect([statusOf(got), messageOf(got)]).toEqual([status, words]);
  expect(one).not.toHaveBeenCalled();
  expect((await call(at.session, "One", ["x".repeat(100)])).messages).toEqual(["X".repeat(100)]);
});

test("an announced length above the limit ends the call before its octets arrive", async () => {
  await using at = await started(ECHOES, { maxMessageOctets: 100 });
  const stream = begin(at.session, "Gather");
  stream.write(Uint8Array.of(0, 0xff, 0xff, 0xff, 0xff));
  const got = await answered(stream);
  expect(statusOf(got)).toBe("8");
});

test("compressed messages: known encodings, the flag without one, an unknown one, and the limit after inflation", async () => {
  await using at = await started(ECHOES, { maxMessageOctets: 1_000 });
  const zipped = (text: string): Uint8Array => {
    const octets = gzipSync(text);
    return Buffer.concat([Uint8Array.of(1, 0, 0, octets.length >> 8, octets.length), octets]);
  };
  const gzip = { "rpc-encoding": "gzip" };
  expect((await call(at.session, "Gather", [zipped("a"), "b"], gzip)).messages).toEqual(["a+b"]);
  expect(statusOf(await call(at.session, "One", [zipped("a")]))).toBe("13");
  const unknown = await call(at.session, "One", [zipped("a")], { "rpc-encoding": "snappy" });
  expect(statusOf(unknown)).toBe("12");
  expect(unknown.headers["rpc-accept-encoding"]).toBe("identity,gzip,deflate,zstd");
  expect(statusOf(await call(at.session, "One", [zipped("x".repeat(1_001))], gzip))).toBe("8");
  expect(statusOf(await call(at.session, "One", [zipped("x".repeat(1_000))], gzip))).toBe("0");
});

test("responses are compressed for clients that accept it, unless the handler says otherwise", async () => {
  const spread = async function* spread(_: string, server: ServerCall) {
    await Promise.resolve();
    yield "a";
    server.compress(false);
    yield "b";
  };
  await using at = await started({ ...ECHOES, spread }, { encoding: "gzip" });
  const got = await call(at.session, "Spread", [""], { "rpc-accept-encoding": "identity, gzip" });
  expect(got.headers["rpc-encoding"]).toBe("gzip");
  expect(got.flags).toEqual([true, false]);
  const plain = await call(at.session, "Spread", [""], { "rpc-accept-encoding": "br" });
  expect([plain.headers["rpc-encoding"], plain.flags]).toEqual([undefined, [false, false]]);
  const stream = begin(at.session, "One", { "rpc-accept-encoding": "gzip" });
  stream.end(envelope("zip"));
  const [data] = (await once(stream, "data")) as [Buffer];
  expect(gunzipSync(data.subarray(5)).toString()).toBe("ZIP");
});

test("interceptors see a call in their order, and may refuse it", async () => {
  const seen: string[] = [];
  await using at = await started(ECHOES, {
    interceptors: [
      async (request, { metadata, method }, next) => {
        seen.push(`first ${method.path}`);
        if (metadata.get("authorization") !== "yes") throw new CallFailed(Status.UNAUTHENTICATED, "who are you?");
        return `<${String(await next(request))}>`;
      },
      (request, _, next) => {
        seen.push("second");
        return next(`${String(request)}?`);
      },
    ],
  });
  const got = await call(at.session, "One", ["x"], { authorization: "yes" });
  expect(got.messages).toEqual(["<X?>"]);
  expect(seen).toEqual(["first /test.Echo/One", "second"]);
  expect(statusOf(await call(at.session, "One", ["x"]))).toBe("16");
});

test("closing the server completes calls in progress", async () => {
  const gate = Promise.withResolvers<string>();
  const at = await started({ one: () => gate.promise }, { graceMs: 5_000 });
  const stream = begin(at.session, "One");
  stream.end(envelope("x"));
  await wait(20);
  const closed = at.server.close();
  gate.resolve("done");
  expect((await answered(stream)).messages).toEqual(["done"]);
  await closed;
});

test("a client that sends a PING for each call is no flood", async () => {
  // Each response earns one: the budget does not matter.
  await using at = await started(ECHOES, { http2: { limits: { pings: { burst: 3, perSecond: 0 } } } });
  for (let count = 0; count < 60; count++) {
    at.session.ping(() => {});
    expect((await call(at.session, "One", ["x"])).messages).toEqual(["X"]);
  }
});

test("a mistake in an implementation is reported when it is registered", async () => {
  expect(() => serveRpc([implement(ECHO, { other: ECHOES.one } as never)])).toThrow('has no method "other"');
  expect(() => serveRpc([implement(ECHO, ECHOES), implement(ECHO, ECHOES)])).toThrow("two implementations");
  expect(() => serveRpc([], { encoding: "br" })).toThrow('the encoding "br" is not known');
  await Promise.resolve();
});

test("a handler that fails because its call has ended is not reported, one that fails by itself is", async () => {
  const failed: unknown[] = [];
  const over = Promise.withResolvers<void>();
  await using at = await started(
    {
      ...ECHOES,
      one: async (text, call) => {
        if (text === "fails") throw new Error("by itself");
        await new Promise((resolve) => call.signal.addEventListener("abort", resolve));
        setImmediate(over.resolve);
        throw new Error("left alone");
      },
    },
    { onCallError: (error) => failed.push((error as Error).message) },
  );
  const left = begin(at.session, "One");
  left.on("error", () => {});
  left.end(envelope("waits"));
  await call(at.session, "One", ["fails"]);
  left.close(8);
  await over.promise;
  expect(failed).toEqual(["by itself"]);
});

test("a handler that sends headers with invalid metadata gets an error, and its call ends", async () => {
  const onCallError = vi.fn();
  await using at = await started(
    {
      ...ECHOES,
      one: (_text, call) => {
        call.sendHeaders({ "not a name": "x" });
        return "never";
      },
      async *spread(text, call) {
        try {
          call.sendHeaders({ "x-y": "a\nb" });
        } catch {
          call.sendHeaders({ "x-y": "b" });
        }
        yield text;
      },
    },
    { onCallError },
  );
  const got = await call(at.session, "One", ["hello"]);
  expect([statusOf(got), got.messages]).toEqual([String(Status.UNKNOWN), []]);
  expect(onCallError).toHaveBeenCalledOnce();
  // The headers have not left: a handler that notices sends others.
  const spread = await call(at.session, "Spread", ["hello"]);
  expect([statusOf(spread), spread.messages, spread.headers["x-y"]]).toEqual(["0", ["hello"], "b"]);
});

test("without onCallError, what a handler throws is printed with the path of the call", async () => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  const error = new Error("mine");
  await using at = await started({ one: () => Promise.reject(error) });
  expect(statusOf(await call(at.session, "One", ["x"]))).toBe("2");
  expect(printed.mock.calls).toEqual([["touchstone: the handler of /test.Echo/One failed:", error]]);
  printed.mockRestore();
});

test("a handler throws invalid metadata: the call ends without it, and the program is told", async () => {
  const onCallError = vi.fn();
  const one = (): never => {
    throw new CallFailed(Status.ABORTED, "no", { metadata: { "not a name": "x" } as never });
  };
  await using at = await started({ one }, { onCallError });
  const got = await call(at.session, "One", ["x"]);
  expect([statusOf(got), messageOf(got)]).toEqual([String(Status.ABORTED), "no"]);
  expect(onCallError).toHaveBeenCalledOnce();
});
