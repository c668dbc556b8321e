import { describe, expect, test } from "vitest";
import { after, instant, type Instant } from "../../../core/index.ts";
import { EarlyGuard, Tickets, type ClientOptions, type ServerOptions, type Session } from "../../../tls/index.ts";
import { TLS_PRIMITIVES } from "../primitives.ts";
import { all, CLIENT_TRUST, credential, faultOf, find, octets, secretsOf, shake, T0, type Ran } from "./testing.ts";

const HOUR = 3_600_000;
const tickets = (options: { lifetimeMs?: number; keyMs?: number } = {}): Tickets => new Tickets({ primitives: TLS_PRIMITIVES, ...options });
const guard = (options: { windowMs?: number; most?: number } = {}): EarlyGuard => new EarlyGuard(instant(0), options);

type Ends = { readonly client?: Partial<ClientOptions>; readonly server: Partial<ServerOptions> };
const sessionOf = ({ client }: Ran): Session => find(client, "session")!.session;
/** A first connection, and a second one with its session. */
function twice(
  { client, server }: Ends,
  second: { client?: Partial<ClientOptions>; server?: Partial<ServerOptions>; now?: Instant } = {},
): Ran {
  const session = sessionOf(shake({ client: { ...client }, server }));
  const { now = T0 } = second;
  return shake({ client: { ...client, session, early: true, ...second.client }, server: { ...server, ...second.server } }, { now });
}
const resumed = ({ client, server }: Ran): unknown => {
  expect(find(client, "complete")?.resumed).toBe(find(server, "complete")?.resumed);
  return find(server, "complete")?.resumed;
};
const early = ({ client, server }: Ran): unknown => {
  expect(find(client, "earlyData")?.accepted).toBe(find(server, "earlyData")?.accepted);
  return find(server, "earlyData")?.accepted;
};

describe("resumption", () => {
  test("with 0-RTT data: both ends have the same secrets, and no certificate goes over the wire", () => {
    const ran = twice({ server: { tickets: tickets(), early: guard() } });
    expect([resumed(ran), early(ran)]).toEqual([true, true]);
    expect(secretsOf(ran.client, "write")).toEqual(secretsOf(ran.server, "read"));
    expect(secretsOf(ran.client, "write")[0]).toMatch(/^early TLS_AES_128_GCM_SHA256 /);
    expect(ran.sent.map(({ type }) => type)).toEqual([1, 2, 8, 20, 20, 4]);
    expect(find(ran.client, "peerCertificate")?.chain).toEqual(credential("p256").chain);
  });

  test("a session has what a client must remember", () => {
    const ran = shake({ server: { tickets: tickets({ lifetimeMs: 2 * HOUR }), early: guard() } });
    expect(sessionOf(ran)).toMatchObject({
      suite: "TLS_AES_128_GCM_SHA256",
      lifetimeMs: 2 * HOUR,
      early: true,
      alpn: "h3",
      serverName: "localhost",
      parameters: octets("server parameters"),
      receivedAt: T0,
    });
  });

  test("a server gives as many sessions as it wants, each with its own key", () => {
    const ran = shake({ server: { tickets: tickets(), ticketCount: 3 } });
    const sessions = all(ran.client, "session").map(({ session }) => session);
    expect(new Set(sessions.map(({ psk }) => psk.join())).size).toBe(3);
    expect(sessions.every((session) => !session.early)).toBe(true);
  });

  test.each<[string, Parameters<typeof twice>]>([
    ["the session is too old", [{ server: { tickets: tickets({ lifetimeMs: HOUR }) } }, { now: after(T0, HOUR) }]],
    ["the ticket is another server's", [{ server: { tickets: tickets() } }, { server: { tickets: tickets() } }]],
    [
      "the hash is another",
      [
        { client: { suites: ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"] }, server: { tickets: tickets() } },
        { server: { suites: ["TLS_AES_256_GCM_SHA384"] } },
      ],
    ],
    ["the name is another", [{ server: { tickets: tickets() } }, { client: { serverName: "127.0.0.1" } }]],
    [
      "a client certificate is required now",
      [
        { client: { credentials: [credential("client")] }, server: { tickets: tickets() } },
        { server: { clients: { trust: CLIENT_TRUST, required: true } } },
      ],
    ],
  ])("a full handshake follows if %s", (_what, [ends, second]) => {
    const ran = twice(ends, second);
    expect(faultOf(ran.client) ?? faultOf(ran.server)).toBeUndefined();
    expect(resumed(ran)).toBe(false);
  });

  test("the chain of the client comes out of the ticket", () => {
    const server = { tickets: tickets(), clients: { trust: CLIENT_TRUST, required: true } };
    const ran = twice({ client: { credentials: [credential("client")] }, server });
    expect(resumed(ran)).toBe(true);
    expect(find(ran.server, "peerCertificate")?.chain).toEqual(credential("client").chain);
  });

  test("without 0-RTT data there is no secret for it, and without a client certificate no chain", () => {
    const ran = twice({ server: { tickets: tickets(), early: guard() } }, { client: { early: false } });
    expect(resumed(ran)).toBe(true);
    expect(find(ran.server, "peerCertificate")).toBeUndefined();
    expect([...secretsOf(ran.client, "write"), ...secretsOf(ran.server, "read")].filter((line) => line.startsWith("early"))).toEqual([]);
  });

  test("a client accepts the longest life, and as many sessions as its limit", () => {
    const ran = shake({ client: { limits: { tickets: 2 } }, server: { tickets: tickets({ lifetimeMs: 7 * 24 * HOUR }), ticketCount: 2 } });
    expect(faultOf(ran.client)).toBeUndefined();
    expect(all(ran.client, "session")).toHaveLength(2);
  });

  test("what does not fit into a ticket gives no session", () => {
    const give = (octets: number): Ran => shake({ server: { tickets: tickets(), context: new Uint8Array(octets) } });
    expect(find(give(16_000).client, "session")).toBeDefined();
    expect(find(give(16_384).client, "session")).toBeUndefined();
    expect(find(give(16_384).client, "complete")).toBeDefined();
  });

  test("after HelloRetryRequest the session is resumed, without 0-RTT data", () => {
    const ran = twice(
      { client: { groups: ["x25519", "secp256r1"] }, server: { tickets: tickets(), early: guard() } },
      { server: { groups: ["secp256r1"] } },
    );
    expect([resumed(ran), find(ran.client, "earlyData")?.accepted]).toEqual([true, false]);
    expect(ran.sent.map(({ type }) => type).slice(0, 4)).toEqual([1, 2, 1, 2]);
  });

  test("after HelloRetryRequest with another hash the session is dropped", () => {
    const ran = twice(
      {
        client: { groups: ["x25519", "secp256r1"], suites: ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"] },
        server: { tickets: tickets() },
      },
      { server: { groups: ["secp256r1"], suites: ["TLS_AES_256_GCM_SHA384"] } },
    );
    expect(faultOf(ran.client) ?? faultOf(ran.server)).toBeUndefined();
    expect(resumed(ran)).toBe(false);
  });
});

describe("0-RTT data", () => {
  const server = (): Partial<ServerOptions> => ({ tickets: tickets(), early: guard(), alpn: ["h3", "other"] });

  test.each<[string, { client?: Partial<ClientOptions>; server?: Partial<ServerOptions>; now?: Instant }]>([
    ["the server has no guard any more", { server: { early: undefined as never } }],
    ["the context is another", { server: { context: octets("changed") } }],
    ["the protocol is another", { client: { alpn: ["h3", "other"] }, server: { alpn: ["other"] } }],
    ["the suite is another", { server: { suites: ["TLS_CHACHA20_POLY1305_SHA256"] } }],
  ])("is refused if %s, and the session resumed", (_what, second) => {
    const ran = twice({ server: server() }, second);
    expect([early(ran), resumed(ran), faultOf(ran.client)]).toEqual([false, true, undefined]);
    expect(secretsOf(ran.server, "read").some((line) => line.startsWith("early"))).toBe(false);
  });

  test("is refused if the session does not permit it, whatever the client says", () => {
    const same = tickets();
    const session = sessionOf(shake({ server: { tickets: same } }));
    const ran = shake({ client: { session: { ...session, early: true }, early: true }, server: { tickets: same, early: guard() } });
    expect([early(ran), resumed(ran)]).toEqual([false, true]);
  });

  test("comes once with a session", () => {
    const same = server();
    const session = sessionOf(shake({ server: same }));
    const use = (): unknown => early(shake({ client: { session, early: true }, server: same }));
    expect([use(), use(), use()]).toEqual([true, false, false]);
  });

  test("is not sent where the session does not permit it, or nobody asks for it", () => {
    const session = sessionOf(shake({ server: { tickets: tickets() } }));
    expect(find(shake({ client: { session, early: true } }).server, "earlyData")).toBeUndefined();
    expect(find(twice({ server: server() }, { client: { early: false } }).server, "earlyData")).toBeUndefined();
  });

  test("a recorded ClientHello is refused when it is repeated, now and after the window", () => {
    const same = server();
    const session = sessionOf(shake({ server: same }));
    const { sent } = shake({ client: { session, early: true }, server: same });
    const hello = sent[0]!.octets;
    for (const ms of [0, 5_000, 10_001, 100_000]) {
      const { server: events } = shake(
        { server: same },
        { tamper: ({ type, octets }) => (type === 1 ? hello : octets), now: after(T0, ms) },
      );
      expect(find(events, "earlyData")?.accepted, `after ${ms} ms`).toBe(false);
    }
  });
});
