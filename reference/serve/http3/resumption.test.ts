import { describe, expect, test, vi } from "vitest";
import { bindUdp, selfSigned } from "../../io/index.ts";
import { makeAuthority } from "../../io/testing.ts";
import { createClient, serve, type Handler, type HttpClient, type ServeOptions, type Server } from "./index.ts";

/** Sessions and 0-RTT, from our client to our server. */

type Seen = { readonly method: string; readonly early: string | undefined; readonly isResumed: boolean | undefined };
const identity = await selfSigned();

/** A server that notes what it sees, and a client whose connections end at once when they are idle. */
class Pair {
  readonly seen: Seen[] = [];
  server!: Server;
  client!: HttpClient;
  answer: Handler = () => ({ status: 200, body: "ok" });

  static async start(server: ServeOptions, client: Parameters<typeof createClient>[0]): Promise<Pair> {
    const pair = new Pair();
    pair.server = await serve(
      (request, exchange) => {
        const { method, fields } = request;
        pair.seen.push({ method, early: fields.get("early-data"), isResumed: exchange.connection.tls?.isResumed });
        return pair.answer(request, exchange);
      },
      { graceMs: 500, tls: identity, ...server },
    );
    pair.client = createClient({ keepMs: 50, tls: { ca: identity.cert }, ...client });
    return pair;
  }
  async ask(request: Parameters<HttpClient["request"]>[1] = {}): Promise<string> {
    const { status, body } = await this.client.request(this.server.url, request);
    return `${status} ${await body.text()}`;
  }
  /** Until the connection has ended, so that the next request needs another. */
  async rest(): Promise<void> {
    await vi.waitUntil(() => this.server.connections === 0, { timeout: 10_000 });
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.server.close();
  }
}
const EARLY = { http3: { earlyData: "safe" } } as const;

describe("sessions", () => {
  test("the second connection resumes the first, and no request is early unless both want that", async () => {
    for (const [server, client] of [
      [{}, {}],
      [EARLY, {}],
      [{}, EARLY],
    ] as const) {
      await using pair = await Pair.start(server, client);
      await pair.ask();
      await pair.rest();
      await pair.ask();
      expect(pair.seen).toEqual([
        { method: "GET", early: undefined, isResumed: false },
        { method: "GET", early: undefined, isResumed: true },
      ]);
    }
  });
  test("with `tls.resume: false` each handshake is a full one", async () => {
    await using pair = await Pair.start(EARLY, { ...EARLY, tls: { ca: identity.cert, resume: false } });
    await pair.ask();
    await pair.rest();
    await pair.ask();
    expect(pair.seen.map(({ isResumed }) => isResumed)).toEqual([false, false]);
  });
  test("a client keeps the token of its address: a server that wants a proof needs no Retry the second time", async () => {
    await using pair = await Pair.start({ http3: { retry: "always" } }, {});
    const relay = await bindUdp({ host: "127.0.0.1", port: 0 });
    let client = 0;
    let retries = 0;
    relay.on("message", (bytes, { port }) => {
      const isServer = port === pair.server.port;
      if (!isServer) client = port;
      // The type of a long header is in its first octet (rfc9000#17.2).
      else if ((bytes[0]! & 0xf0) === 0xf0) retries++;
      relay.send(bytes, isServer ? client : pair.server.port, "127.0.0.1");
    });
    const url = `https://127.0.0.1:${relay.address().port}`;
    const counts: number[] = [];
    for (const _ of [1, 2, 3]) {
      await (await pair.client.request(url)).body.bytes();
      await pair.rest();
      counts.push(retries);
    }
    relay.close();
    // Each datagram of the first flight gets one.
    const [first] = counts;
    expect([counts, first! > 0, pair.seen.map(({ isResumed }) => isResumed)]).toEqual([[first, first, first], true, [false, true, true]]);
  });
  test("the certificate of a client is judged again in the second connection", async () => {
    const authority = await makeAuthority();
    const [mine, stranger] = [await authority.issue(), await (await makeAuthority()).issue()];
    for (const [own, trusted] of [
      [mine, true],
      [stranger, false],
    ] as const) {
      await using pair = await Pair.start(
        { ...EARLY, tls: { ...identity, ca: authority.cert, clientCertificate: "request" } },
        { ...EARLY, tls: { ca: identity.cert, ...own } },
      );
      const verdicts: unknown[] = [];
      pair.answer = (_, { connection }) => {
        verdicts.push(connection.tls?.client?.isTrusted);
        return { status: 200 };
      };
      await pair.ask();
      await pair.rest();
      await pair.ask();
      expect([verdicts, pair.seen[1]?.isResumed]).toEqual([[trusted, trusted], true]);
    }
  });
});

describe("0-RTT", () => {
  test("a safe request without content leaves at once, and the handler knows", async () => {
    await using pair = await Pair.start(EARLY, EARLY);
    await pair.ask();
    await pair.rest();
    pair.answer = (_, { connection }) => ({ status: 200, body: `${connection.tls?.cipher} ${connection.tls?.servername}` });
    expect(await pair.ask()).toBe("200 TLS_AES_128_GCM_SHA256 undefined");
    expect(await pair.ask()).toBe("200 TLS_AES_128_GCM_SHA256 undefined");
    expect(pair.seen.slice(1)).toEqual([
      { method: "GET", early: "1", isResumed: true },
      { method: "GET", early: undefined, isResumed: true },
    ]);
  });
  test.each<[string, NonNullable<Parameters<HttpClient["request"]>[1]>]>([
    ["a method that is not safe", { method: "POST" }],
    ["content", { method: "GET", body: "x" }],
    ["early data of somebody else", { fields: [["early-data", "1"]] }],
  ])("%s waits for the handshake", async (_, request) => {
    await using pair = await Pair.start(EARLY, EARLY);
    await pair.ask();
    await pair.rest();
    let isEarly: boolean | undefined;
    pair.answer = ({ fields }) => {
      isEarly = [...fields].filter(([name]) => name === "early-data").length > (request.fields === undefined ? 0 : 1);
      return { status: 200 };
    };
    expect([await pair.ask(request), isEarly, pair.seen[1]?.isResumed]).toEqual(["200 ", false, true]);
  });
  test("many at a time: those that may leave early do, the others follow", async () => {
    await using pair = await Pair.start(EARLY, EARLY);
    await pair.ask();
    await pair.rest();
    const methods = Array.from({ length: 20 }, (_, nth) => (nth % 2 === 0 ? "GET" : "POST"));
    const answers = await Promise.all(methods.map((method) => pair.ask({ method })));
    expect(new Set(answers)).toEqual(new Set(["200 ok"]));
    const early = pair.seen.slice(1).filter((one) => one.early === "1");
    expect([early.length > 0, early.every(({ method }) => method === "GET"), pair.seen.length]).toEqual([true, true, 21]);
  });
  test("425: the client asks again after the handshake, and once", async () => {
    await using pair = await Pair.start(EARLY, EARLY);
    await pair.ask();
    await pair.rest();
    pair.answer = ({ fields }) => (fields.has("early-data") ? { status: 425, body: "later" } : { status: 200, body: "now" });
    expect(await pair.ask()).toBe("200 now");
    expect(pair.seen.slice(1).map(({ early }) => early)).toEqual(["1", undefined]);
    pair.answer = () => ({ status: 425, body: "never" });
    expect(await pair.ask()).toBe("425 never");
    expect(pair.seen.length).toBe(4);
  });
  test("a server that has been started anew knows no session: the handshake is a full one, and nothing is lost", async () => {
    await using pair = await Pair.start(EARLY, EARLY);
    await pair.ask();
    await pair.rest();
    const { port } = pair.server;
    await pair.server.close();
    const again: (string | undefined)[] = [];
    await using other = await serve(
      ({ fields }, { connection }) => {
        again.push(`${fields.get("early-data")} ${connection.tls?.isResumed}`);
        return { status: 200, body: "anew" };
      },
      { tls: identity, port, graceMs: 500, ...EARLY },
    );
    const { body } = await pair.client.request(other.url);
    expect([await body.text(), again]).toEqual(["anew", ["undefined false"]]);
  });
  test("a place that says nothing any more: an early request fails when the handshake is given up", async () => {
    await using pair = await Pair.start(EARLY, { ...EARLY, http3: { earlyData: "safe", quic: { handshakeMs: 300 } } });
    await pair.ask();
    await pair.rest();
    await pair.server.close();
    await expect(pair.ask({})).rejects.toMatchObject({ name: "StreamFailed" });
  });
});
