import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { serve } from "../server/serve.ts";
import { talk } from "../testing.ts";
import { webSocket, type OnOpen } from "./accept.ts";
import { echo } from "./echo.ts";
import { HandshakeFailed } from "./index.ts";
import type { Ending, Message, OpenWebSocket } from "./open-websocket.ts";
import { frame, HOWS, listeningFor, Fixture, until } from "./testing.ts";

/** Milliseconds; longer than any test may take. */
const TOO_LONG = 600_000;
const fixture = new Fixture();
afterEach(() => fixture.clear());

const plain = (message: Message): Message => (typeof message === "string" ? message : Buffer.from(message));

describe.each(HOWS)("over %s", (how) => {
  test.each([false, true])("echoes messages of all sizes in order, with compression: %s", async (deflate) => {
    const socket = await fixture.pair(
      how,
      echo,
      { deflate, subprotocols: ["chat"], text: "octets" },
      { deflate, subprotocols: ["other", "chat"] },
    );
    expect(socket.subprotocol).toBe("chat");
    const messages = ["", "é", "x".repeat(200_000), randomBytes(10), Buffer.alloc(0), randomBytes(1_000_000)];
    for (const message of messages) socket.send(message);
    const got: Message[] = [];
    for await (const message of socket) {
      got.push(plain(message));
      if (got.length === messages.length) break;
    }
    expect(got).toEqual(messages);
    expect(await socket.closed).toEqual({ code: 1000, reason: "", clean: true });
  });

  test("tells of a sub-protocol that was agreed without extensions, and of none", async () => {
    const socket = await fixture.pair(how, echo, { subprotocols: ["chat"] }, { subprotocols: ["chat"] });
    expect([socket.subprotocol, socket.extensions]).toEqual(["chat", ""]);
    const plain = await fixture.pair(how, echo, { subprotocols: ["chat"] }, {});
    expect([plain.subprotocol, plain.extensions]).toEqual([undefined, ""]);
  });

  test("with slowReader drop, a peer that does not read loses messages, which are counted, and keeps its connection", async () => {
    const pieces = Array.from({ length: 400 }, (_, at) => Buffer.alloc(50_000, at));
    const opened = Promise.withResolvers<OpenWebSocket>();
    const client = await fixture.pair(how, opened.resolve, { slowReader: "drop", limits: { queuedOctets: 100_000 } });
    client.pause();
    const socket = await opened.promise;
    let refused = 0;
    for (const piece of pieces) {
      if (!socket.send(piece)) refused++;
      await new Promise(setImmediate);
    }
    let got = 0;
    client.onMessage = () => void got++;
    client.resume();
    expect(socket.dropped).toBeGreaterThan(0);
    expect(refused).toBeGreaterThanOrEqual(socket.dropped);
    await until(() => got === pieces.length - socket.dropped);
    expect(socket.state).toBe("open");
  });

  test("reports code and reason of a Close, in both directions", async () => {
    const told = Promise.withResolvers<Ending>();
    const one = await fixture.pair(how, (socket) => void (socket.onClose = told.resolve));
    one.close(4_000, "enough");
    expect(await told.promise).toEqual({ code: 4_000, reason: "enough", clean: true });
    expect(await one.closed).toEqual({ code: 4_000, reason: "", clean: true });
    const other = await fixture.pair(how, (socket) => socket.close(4_001, "go"));
    expect(await other.closed).toEqual({ code: 4_001, reason: "go", clean: true });
  });

  test("a client that disconnects without a Close: 1006, not clean", async () => {
    const told = Promise.withResolvers<Ending>();
    const socket = await fixture.pair(how, (opened) => void (opened.onClose = told.resolve));
    socket.abort();
    expect(await told.promise).toMatchObject({ code: 1006, clean: false });
    expect(await socket.closed).toMatchObject({ code: 1006, clean: false });
  });

  test("a server that closes: sends 1001 to all, and does not wait for its grace period", async () => {
    const server = await fixture.server(() => {}, { graceMs: TOO_LONG, ...listeningFor(how) });
    const sockets = await Promise.all([fixture.client(how, server), fixture.client(how, server)]);
    await server.close();
    expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([
      { code: 1001, reason: "", clean: true },
      { code: 1001, reason: "", clean: true },
    ]);
  });

  test("after a Close of its own, what is sent is refused in silence, and no callback fails", async () => {
    const errors: unknown[] = [];
    const sent: boolean[] = [];
    const options = { onError: (error: unknown) => void errors.push(error) };
    const client = await fixture.pair(
      how,
      (socket) => {
        socket.onMessage = () => {
          socket.close(4_000);
          sent.push(socket.send("late"), socket.sendPart("late", true));
          socket.ping();
        };
      },
      options,
    );
    client.send("now");
    expect(await client.closed).toMatchObject({ code: 4_000, clean: true });
    expect([client.send("late"), client.state]).toEqual([false, "closed"]);
    expect([sent, errors]).toEqual([[false, false], []]);
  });

  test("a client has its own limits", async () => {
    const client = await fixture.pair(how, (socket) => void socket.send("x".repeat(100)), {}, { limits: { messageOctets: 99 } });
    expect(await client.closed).toMatchObject({ clean: false, fault: { name: "messageTooLarge" } });
  });

  test("a handler that fails: its connection closes with 1011, and onError receives the error", async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const later: OnOpen = async () => Promise.reject(new Error("later"));
    const inside: OnOpen = (socket) => {
      socket.onMessage = () => {
        throw new Error("inside");
      };
    };
    expect((await (await fixture.pair(how, later, { onError })).closed).code).toBe(1011);
    const socket = await fixture.pair(how, inside, { onError });
    socket.send("x");
    expect((await socket.closed).code).toBe(1011);
    expect(errors.filter((error) => /^(?:later|inside)$/.test((error as Error).message))).toHaveLength(2);
  });

  test("a handler that throws at once: its connection closes with 1011", async () => {
    const thrown: unknown[] = [];
    const socket = await fixture.pair(
      how,
      () => {
        throw new Error("at once");
      },
      { onError: (error) => void thrown.push(error) },
    );
    expect((await socket.closed).code).toBe(1011);
    expect(thrown).toEqual([new Error("at once")]);
  });

  test("with text: octets, either end gets text as octets that are UTF-8", async () => {
    const kinds: string[] = [];
    const note = (data: Message, kind: string): void => void kinds.push(`${kind} ${typeof data}`);
    const open: OnOpen = (socket) => {
      socket.onMessage = (data, kind) => {
        note(data, kind);
        socket.send(data, kind);
      };
    };
    const socket = await fixture.pair(how, open, { text: "octets" }, { text: "octets" });
    const back = new Promise<void>((resolve) => {
      socket.onMessage = (data, kind) => {
        note(data, kind);
        resolve();
      };
    });
    socket.send("ä");
    await back;
    expect(kinds).toEqual(["utf8 object", "utf8 object"]);
  });

  test("answers pings", async () => {
    const socket = await fixture.pair(how, echo);
    const pong = new Promise((resolve) => void (socket.onPong = (data) => resolve(Buffer.from(data).toString())));
    socket.ping(Buffer.from("there?"));
    expect(await pong).toBe("there?");
  });

  test("a sender that waits for `drained` can send any amount", async () => {
    const PIECE = 100_000;
    const PIECES = 200;
    const socket = await fixture.pair(how, async (opened) => {
      for (let i = 0; i < PIECES; i++) if (!opened.send(new Uint8Array(PIECE))) await opened.drained();
      opened.close();
    });
    let octets = 0;
    let waits = 0;
    for await (const message of socket) {
      octets += message.length;
      if (waits++ < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(octets).toBe(PIECE * PIECES);
  });

  test("fragments form one message", async () => {
    const socket = await fixture.pair(how, echo);
    socket.sendPart("Hel", false);
    socket.sendPart("lo", true);
    for await (const message of socket) {
      expect(message).toBe("Hello");
      break;
    }
  });
});

describe("messages without a reader", () => {
  test("wait, and the client is held back until one reads", async () => {
    let server: OpenWebSocket | undefined;
    const client = await fixture.pair("ws", (socket) => void (server = socket));
    const COUNT = 150;
    for (let i = 0; i < COUNT; i++) client.send(new Uint8Array(100_000));
    await until(() => server?.isPaused === true);
    expect(client.queued).toBeGreaterThan(1_000_000);
    let octets = 0;
    server!.onMessage = (data) => void (octets += data.length);
    await until(() => octets === COUNT * 100_000);
    expect(server!.isPaused).toBe(false);
  });
  test("are read by a loop in order, even after the end", async () => {
    const got: Message[] = [];
    const done = Promise.withResolvers<void>();
    const client = await fixture.pair("ws", async (socket) => {
      await socket.closed;
      for await (const message of socket) got.push(message);
      done.resolve();
    });
    for (const message of ["one", "two"]) client.send(message);
    client.close();
    await done.promise;
    expect(got).toEqual(["one", "two"]);
  });
  test("go to a loop or to a callback, not to both", async () => {
    const socket = await fixture.pair("ws", echo);
    const iterator = socket[Symbol.asyncIterator]();
    expect(() => void (socket.onMessage = () => {})).toThrow("a loop reads the messages already");
    expect(() => socket[Symbol.asyncIterator]()).toThrow("another loop");
    await iterator.return?.();
    const other = await fixture.pair("ws", echo);
    other.onMessage = () => {};
    expect(() => other[Symbol.asyncIterator]()).toThrow("`onMessage` receives the messages already");
  });
});

describe("clients that do not read", () => {
  test("are closed with 1013, and the queue stays within its limit", async () => {
    const told = Promise.withResolvers<Ending>();
    let most = 0;
    const server = await fixture.server(
      async (socket) => {
        socket.onClose = told.resolve;
        while (socket.state === "open") {
          socket.send(new Uint8Array(100_000));
          most = Math.max(most, socket.queued);
          await new Promise((resolve) => setImmediate(resolve));
        }
      },
      { limits: { queuedOctets: 500_000 } },
    );
    const { socket } = await fixture.raw(server);
    socket.pause();
    expect(await told.promise).toMatchObject({ code: 1006, fault: { name: "readerSlow" } });
    // The message that exceeded the limit is the last.
    expect(most).toBeGreaterThan(500_000);
    expect(most).toBeLessThan(500_000 + 100_100);
  });
  test("lose messages instead with slowReader: drop, and no others do", async () => {
    const sockets: OpenWebSocket[] = [];
    const server = await fixture.server((socket) => void sockets.push(socket), { slowReader: "drop", limits: { queuedOctets: 500_000 } });
    const { socket } = await fixture.raw(server);
    socket.pause();
    const quick = await fixture.client("ws", server);
    let got = 0;
    quick.onMessage = () => void (got += 1);
    let sent = 0;
    let wrong = false;
    while (sockets[0]!.dropped < 5) {
      const before = sockets[0]!.dropped;
      const [isRoom = true] = sockets.map((each) => each.send(new Uint8Array(100_000)));
      wrong ||= isRoom && sockets[0]!.dropped > before;
      sent += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => got === sent);
    expect([sockets[0]!.state, sockets[1]!.dropped]).toEqual(["open", 0]);
    expect(wrong, "`send` of a dropped message returns true").toBe(false);
  });
});

describe("writes", () => {
  test("what one read causes leaves in one write: echoes, pongs and a Close", async () => {
    const server = await fixture.server(echo);
    const { socket, took, ended } = await fixture.raw(server);
    const reads: number[] = [];
    socket.on("data", ({ length }) => void reads.push(length));
    socket.write(
      Buffer.concat([...Array.from({ length: 50 }, () => frame(0x81, "hello")), frame(0x89, "?"), frame(0x88, Buffer.of(3, 232))]),
    );
    await ended;
    expect(took().length).toBe(50 * 7 + 3 + 4);
    expect(reads).toEqual([50 * 7 + 3 + 4]);
  });
});

describe("messages that arrive together with a Close", () => {
  const loop: OnOpen = async (socket) => {
    for await (const message of socket) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      socket.send(message);
    }
  };
  test.each<readonly [string, OnOpen]>([
    ["a callback", echo],
    ["a loop that takes its time", loop],
  ])("are handled by %s before the Close is answered", async (_what, open) => {
    const server = await fixture.server(open);
    const { socket, took, ended } = await fixture.raw(server);
    socket.write(Buffer.concat([frame(0x81, "one"), frame(0x81, "two"), frame(0x88, Buffer.of(3, 232))]));
    await ended;
    expect(took().toString("latin1")).toBe("\x81\x03one\x81\x03two\x88\x02\x03\xe8");
  });
});

describe("a server that closes", () => {
  test("drops clients that do not answer its Close within the grace period", async () => {
    const server = await fixture.server(echo, { graceMs: 100, limits: { closeMs: TOO_LONG } });
    const { took, ended } = await fixture.raw(server);
    await server.close();
    await ended;
    expect(took()).toEqual(Buffer.from([0x88, 2, 3, 0xe9]));
  });
  test.each(["ws", "h2"] as const)("keeps nothing of ended connections over %s", async (how) => {
    let closing: ReadonlySet<unknown> | undefined;
    const server = await serve(
      (request, exchange) => {
        closing = exchange.closing;
        return webSocket(request, exchange, echo);
      },
      { http2: { settings: { enableConnectProtocol: true } } },
    );
    fixture.onEnd(() => server.close());
    const socket = await fixture.client(how, { ...server, url: server.url.replace("http", "ws") });
    expect(closing?.size).toBe(1);
    socket.close();
    await until(() => closing?.size === 0);
  });
});

describe("refused handshakes", () => {
  test("are answered with the reason, and onRefused receives it", async () => {
    const told: string[] = [];
    const server = await fixture.server(echo, { paths: ["/chat"], onRefused: (fault) => void told.push(fault.name) });
    const ask = async (lines: string): Promise<string> =>
      (await talk(server.port, `GET /chat HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: close\r\n${lines}\r\n`)).toString(
        "latin1",
      );
    const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
    expect(await ask("")).toMatch(/^HTTP\/1\.1 426 [^]*upgrade: websocket\r\n/i);
    expect(await ask(`${upgrade}Sec-WebSocket-Version: 12\r\n`)).toMatch(/^HTTP\/1\.1 426 [^]*sec-websocket-version: 13\r\n/i);
    expect(await ask(`${upgrade}Sec-WebSocket-Version: 13\r\nOrigin: http://evil.example\r\n`)).toMatch(
      /^HTTP\/1\.1 403 [^]*evil\.example is not/,
    );
    expect(told).toEqual(["upgradeMissing", "versionUnsupported", "originForbidden"]);
    const elsewhere = await talk(server.port, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    expect(elsewhere.toString("latin1")).toMatch(/^HTTP\/1\.1 404 [^]*content-type: text\/plain\r\n[^]*WebSockets are opened at \/chat/i);
  });
  test.each(HOWS)("over %s, the client's error explains why", async (how) => {
    const server = await fixture.server(echo, listeningFor(how));
    const failed = await fixture.client(how, server, { origin: "http://evil.example" }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(HandshakeFailed);
    expect(failed).toMatchObject({ status: 403, message: expect.stringContaining("origin http://evil.example is not http") });
  });
  test("pages of the server's own origin are accepted", async () => {
    const server = await fixture.server(echo);
    const socket = await fixture.client("ws", server, { origin: server.url.replace(/^ws/, "http").slice(0, -1) });
    expect(socket.state).toBe("open");
  });
});
