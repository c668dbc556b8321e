import { describe, expect, test } from "vitest";
import type { Handshake } from "../../../quic/handshake.ts";
import { Client, GROUPS, Server, type GroupName, type SuiteName } from "../../../tls/index.ts";
import {
  all,
  CLIENT_TRUST,
  credential,
  faultOf,
  find,
  hex,
  octets,
  secretsOf,
  shake,
  clientOptions,
  serverOptions,
  T0,
} from "./testing.ts";

const order = (events: readonly { is: string; level?: string; direction?: string }[]): string[] =>
  events.map(({ is, level, direction }) => (level === undefined ? is : `${is} ${level} ${direction}`));

describe("a full handshake", () => {
  test("both ends complete with the same secrets", () => {
    const { client, server } = shake();
    expect(faultOf(client) ?? faultOf(server)).toBeUndefined();
    expect(secretsOf(client, "write")).toEqual(secretsOf(server, "read"));
    expect(secretsOf(client, "read")).toEqual(secretsOf(server, "write"));
    const complete = {
      is: "complete",
      alpn: "h3",
      suite: "TLS_AES_128_GCM_SHA256",
      group: "X25519MLKEM768",
      resumed: false,
      serverName: "localhost",
    };
    expect(find(client, "complete")).toEqual(complete);
    expect(find(server, "complete")).toEqual(complete);
    expect(find(client, "parameters")?.octets).toEqual(octets("server parameters"));
    expect(find(server, "parameters")?.octets).toEqual(octets("client parameters"));
    expect(find(client, "peerCertificate")?.chain).toEqual(credential("p256").chain);
  });

  test("events come in the order in which a transport needs them", () => {
    const { client, server } = shake();
    expect(order(client)).toEqual([
      "secret handshake write",
      "secret handshake read",
      "parameters",
      "peerCertificate",
      "secret application write",
      "secret application read",
      "complete",
    ]);
    expect(order(server)).toEqual([
      "parameters",
      "secret handshake write",
      "secret handshake read",
      "secret application write",
      "secret application read",
      "complete",
    ]);
  });

  test.each<SuiteName>(["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"])("with %s", (suite) => {
    const { client, server } = shake({ client: { suites: [suite] } });
    expect(find(client, "complete")?.suite).toBe(suite);
    expect(secretsOf(client, "write")).toEqual(secretsOf(server, "read"));
  });

  test.each(Object.keys(GROUPS) as GroupName[])("with a key exchange by %s", (group) => {
    const { client, server } = shake({ client: { groups: [group] } });
    expect([find(client, "complete")?.group, find(server, "complete")?.group]).toEqual([group, group]);
  });

  test.each(["p256", "p384", "rsa", "rsa-pss", "ed25519", "chained"])("with a server certificate %s", (name) => {
    const { client, server } = shake({ server: { credentials: () => [credential(name)] } });
    expect(faultOf(client) ?? faultOf(server)).toBeUndefined();
    expect(find(client, "peerCertificate")?.chain).toEqual(credential(name).chain);
  });

  test("the server chooses the protocol that it prefers", () => {
    const { client, server } = shake({ client: { alpn: ["a", "b", "c"] }, server: { alpn: ["c", "b"] } });
    expect([find(client, "complete")?.alpn, find(server, "complete")?.alpn]).toEqual(["c", "c"]);
  });

  test("the server chooses its certificate by the name, and is not sent an address as a name", () => {
    const asked: (string | undefined)[] = [];
    const credentials = (name: string | undefined) => (asked.push(name), [credential("p256")]);
    shake({ client: { serverName: "LocalHost" }, server: { credentials } });
    const { client } = shake({ client: { serverName: "127.0.0.1" }, server: { credentials } });
    expect(asked).toEqual(["localhost", undefined]);
    expect(faultOf(client)).toBeUndefined();
  });

  test("both ends export the same keying material", () => {
    const { client, server } = shake({ client: { keyLog: true }, server: { keyLog: true } });
    const lines = (events: typeof client) => all(events, "keyLog").map(({ line }) => line);
    expect(lines(client).sort()).toEqual(lines(server).sort());
    expect(lines(client)).toHaveLength(5);
    expect(lines(client)[0]).toMatch(/^[A-Z_0]+ [0-9a-f]{64} [0-9a-f]{64}$/);
    const secret = hex(all(client, "secret").find((one) => one.level === "application" && one.direction === "write")!.secret);
    expect(lines(client).some((line) => line.startsWith("CLIENT_TRAFFIC_SECRET_0 ") && line.endsWith(secret))).toBe(true);
  });
});

describe("HelloRetryRequest", () => {
  test("brings the share that the server wants", () => {
    const { client, server, sent } = shake({ client: { shares: ["secp256r1"] }, server: { groups: ["x25519"] } });
    expect(sent.map(({ type }) => type).slice(0, 4)).toEqual([1, 2, 1, 2]);
    expect(find(client, "complete")?.group).toBe("x25519");
    expect(secretsOf(client, "write")).toEqual(secretsOf(server, "read"));
  });

  test.each<SuiteName>(["TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"])("with the hash of %s", (suite) => {
    const { client, server } = shake({ client: { shares: [] }, server: { suites: [suite] } });
    expect(find(client, "complete")?.suite).toBe(suite);
    expect(secretsOf(client, "read")).toEqual(secretsOf(server, "write"));
  });
});

describe("client certificates", () => {
  test.each(["client", "client-rsa"])("the server gets the chain of %s", (name) => {
    const { server, client } = shake({
      client: { credentials: [credential(name)] },
      server: { clients: { trust: CLIENT_TRUST, required: true } },
    });
    expect(faultOf(client) ?? faultOf(server)).toBeUndefined();
    expect(find(server, "peerCertificate")?.chain).toEqual(credential(name).chain);
    expect(find(server, "complete")?.alpn).toBe("h3");
  });

  test("a client without one is accepted unless one is required", () => {
    const ask = (required: boolean) => shake({ server: { clients: { trust: CLIENT_TRUST, required } } });
    expect(find(ask(false).server, "complete")).toBeDefined();
    expect(find(ask(false).server, "peerCertificate")).toBeUndefined();
    expect(faultOf(ask(true).server)).toBe("certificateRequired");
  });

  test("one for servers is refused", () => {
    const { server } = shake({
      client: { credentials: [credential("p256")] },
      server: { clients: { trust: CLIENT_TRUST, required: true } },
    });
    expect(faultOf(server)).toBe("certificateUnfit");
  });
});

test("both ends are what a connection of QUIC needs", () => {
  const ends: readonly Handshake[] = [new Client(clientOptions(), T0), new Server(serverOptions(), T0)];
  expect(ends.map((end) => end.take().map(({ level }) => level))).toEqual([["initial"], []]);
});
