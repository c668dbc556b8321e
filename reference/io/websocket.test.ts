import { createHash, getRandomValues, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { constants, deflateRawSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { Fields } from "../http/index.ts";
import { Connection as Http1, type Event as Http1Event } from "../http1/index.ts";
import { acceptHttp1, Connection, type Agreement, type Event, type Options, type ServerPolicy } from "../websocket/index.ts";
import { now } from "./clock.ts";
import { deflateEngine } from "./deflate.ts";
import { Drive } from "./drive.ts";

const sha1 = (text: string): Uint8Array => createHash("sha1").update(text).digest();
const random = (into: Uint8Array): Uint8Array => getRandomValues(into as Uint8Array<ArrayBuffer>);
const engine = deflateEngine();
const FULL: Agreement = { serverTakeover: true, clientTakeover: true, serverBits: 15, clientBits: 15 };

describe("the machine with zlib", () => {
  const pair = (agreed: Partial<Agreement> = {}, limits: Options["limits"] = {}): readonly [Connection, Connection] => {
    const deflate = { agreed: { ...FULL, ...agreed }, engine, threshold: 0 };
    return [new Connection({ side: "client", random, deflate }, now()), new Connection({ side: "server", deflate, limits }, now())];
  };
  const pass = (from: Connection, to: Connection): Event[] => from.take().flatMap((piece) => to.receive(piece.slice(), now()));
  const masked = (first: number, payload: Uint8Array): Uint8Array =>
    Buffer.concat([
      payload.length < 126 ? Buffer.of(first, 0x80 | payload.length) : Buffer.of(first, 0xfe, payload.length >> 8, payload.length & 0xff),
      Buffer.alloc(4),
      payload,
    ]);
  const last = (events: readonly Event[]): string => {
    const event = events.at(-1);
    return event?.is === "closed" ? `${event.fault?.name}` : String(event?.is);
  };

  test.each<Partial<Agreement>>([
    {},
    { serverTakeover: false },
    { clientTakeover: false, clientBits: 9 },
    { serverBits: 8, clientBits: 8 },
  ])("messages both ways, with %o", (agreed) => {
    const [client, server] = pair(agreed);
    const texts = ["", "Hello", "Hello", "é".repeat(2_000), "a".repeat(100_000), randomBytes(50_000).toString("base64")];
    for (const text of texts) {
      client.text(text);
      server.text(text);
      expect(pass(client, server)).toEqual([{ is: "message", kind: "text", data: text }]);
      expect(pass(server, client)).toEqual([{ is: "message", kind: "text", data: text }]);
    }
    client.fragment("text", Buffer.from("Hel"), false);
    client.ping();
    client.fragment("text", Buffer.from("lo"), true);
    expect(pass(client, server)).toEqual([
      { is: "ping", data: new Uint8Array(0) },
      { is: "message", kind: "text", data: "Hello" },
    ]);
  });

  test("a message beyond the limit: 1009, and no more than the limit is kept", () => {
    const bomb = deflateRawSync(new Uint8Array(20_000_000), { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4);
    const [, server] = pair({}, { messageOctets: 100_000 });
    expect(last(server.receive(masked(0xc2, bomb), now()))).toBe("messageTooLarge");
  });

  test("invalid DEFLATE, and inflated text that is not UTF-8, are refused (rfc7692#7.2.2)", () => {
    const [, one] = pair();
    expect(last(one.receive(masked(0xc1, Buffer.from("ff", "hex")), now()))).toBe("compressionInvalid");
    const [, other] = pair();
    const bad = deflateRawSync(Buffer.from("c328", "hex"), { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4);
    expect(last(other.receive(masked(0xc1, bad), now()))).toBe("textInvalid");
  });

  test("the examples of the specification, in one frame and in two, with a final block too (rfc7692#7.2.3)", () => {
    const [, server] = pair();
    const hello = { is: "message", kind: "text", data: "Hello" };
    const hear = (...frames: (readonly [number, string])[]): readonly Event[] =>
      server.receive(Buffer.concat(frames.map(([first, payload]) => masked(first, Buffer.from(payload, "hex")))), now());
    expect(hear([0xc1, "f248cdc9c90700"])).toEqual([hello]);
    expect(hear([0x41, "f248cd"], [0x80, "c9c90700"])).toEqual([hello]);
    expect(
      hear(
        [0xc1, "f200110000"],
        [0xc1, "000500faff48656c6c6f00"],
        [0xc1, "f348cdc9c9070000"],
        [0xc1, "f248050000 00ffffcac9c90700".replace(" ", "")],
      ),
    ).toEqual(Array.from({ length: 4 }, () => hello));
  });
});

/** An echo server of machines only: HTTP/1.1 until the handshake, then WebSocket on the same socket. */
function echo(socket: Socket, policy: ServerPolicy, told: Event[]): void {
  const http = new Http1({ side: "server" }, now());
  const drive = new Drive<Http1Event, Http1>(socket, http, {
    handle(events) {
      for (const event of events) {
        if (event.is === "request") {
          const { method, version, scheme, authority, path } = event;
          const answer = acceptHttp1({ method, version, scheme, authority, path, fields: new Fields(event.fields) }, policy, sha1);
          if (answer.is === "refused") http.respond(event.exchange, answer.status, answer.fields, true);
          else {
            http.switchTo(event.exchange, 101, answer.fields);
            start(answer.deflate);
          }
        }
      }
    },
    silent: () => {},
    gone: () => {},
  });
  function start(agreed: Agreement | undefined): void {
    const [switched] = http.events();
    drive.handOver();
    const machine = new Connection(
      { side: "server", ...(agreed === undefined ? {} : { deflate: { agreed, engine, threshold: 0 } }) },
      now(),
    );
    const talk = new Drive<Event, Connection>(socket, machine, {
      handle(events) {
        told.push(...events);
        for (const event of events) {
          if (event.is !== "message") continue;
          if (event.kind === "text") machine.text(event.data);
          else machine.binary(event.data);
        }
      },
      silent: () => {},
      gone: () => {},
    });
    if (switched?.is === "switched") talk.feed(switched.rest);
  }
}

describe("on a socket, with the client of Node.js", () => {
  let server: Server | undefined;
  afterEach(() => void server?.close());
  const open = async (policy: ServerPolicy, told: Event[] = []): Promise<WebSocket> => {
    server = createServer((socket) => echo(socket, policy, told)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`, ["other", "chat"]);
    client.binaryType = "arraybuffer";
    return client;
  };

  test.each<readonly [string, ServerPolicy, string]>([
    ["plain", { subprotocols: ["chat"] }, ""],
    ["compressed", { subprotocols: ["chat"], deflate: {} }, "permessage-deflate"],
  ])("%s: messages of all sizes come back, and the closing handshake is clean", async (_what, policy, extension) => {
    const told: Event[] = [];
    const client = await open(policy, told);
    await once(client, "open");
    expect([client.protocol, client.extensions.split(";")[0]]).toEqual(["chat", extension]);
    for (const message of ["", "é", "a".repeat(100_000), randomBytes(300).toString("hex")]) {
      client.send(message);
      const [{ data }] = (await once(client, "message")) as [MessageEvent<string>];
      expect(data).toBe(message);
    }
    const octets = randomBytes(1_000_000);
    client.send(octets);
    const [{ data }] = (await once(client, "message")) as [MessageEvent<ArrayBuffer>];
    expect(Buffer.compare(Buffer.from(data), octets)).toBe(0);
    client.close(4_000, "enough");
    const [closed] = (await once(client, "close")) as [CloseEvent];
    expect([closed.code, closed.wasClean]).toEqual([4_000, true]);
    expect(told.at(-1)).toEqual({ is: "closed", code: 4_000, reason: "enough", clean: true });
  });
});
