import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { instant } from "../../../core/index.ts";
import { Client, EarlyGuard, GROUPS, Server, Tickets, type GroupName, type SuiteName } from "../../../tls/index.ts";
import { TLS_PRIMITIVES } from "../primitives.ts";
import { expectComplete } from "./peer-checks.ts";
import { goIsMissing, meet, startGo, type Peer } from "./peer.ts";
import { all, CLIENT_TRUST, clientOptions, credential, faultOf, find, hex, octets, pemOf, rootPem, serverOptions, T0 } from "./testing.ts";

/** Our ends with those of Go's crypto/tls. */

if (goIsMissing !== undefined) process.stderr.write(`${goIsMissing}\n`);

const SUITES: readonly SuiteName[] = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"];
const groups = Object.keys(GROUPS) as GroupName[];

describe.runIf(goIsMissing === undefined)("Go's crypto/tls", () => {
  let go: ReturnType<typeof startGo>;
  let peer: Peer;
  let configured = 0;
  beforeAll(() => {
    go = startGo();
    peer = go.peer;
  });
  afterAll(() => go.stop());

  const configure = async (change: object): Promise<string> => {
    const config = `config${++configured}`;
    expect((await peer.ask({ config, protocols: ["h3"], authority: rootPem, ...change })).error).toBeUndefined();
    return config;
  };
  const theirServer = (change: object = {}): Promise<string> => configure({ server: true, identity: pemOf("p256"), ...change });
  const theirClient = (change: object = {}): Promise<string> => configure({ name: "localhost", ...change });

  describe("their server", () => {
    test.each(SUITES.flatMap((suite) => groups.map((group) => [suite, group] as const)))("%s and %s", async (suite, group) => {
      const met = await meet(peer, new Client(clientOptions({ suites: [suite], groups: [group], keyLog: true }), T0), {
        config: await theirServer(),
      });
      expectComplete(met);
      expect(find(met.ours, "complete")).toMatchObject({ suite, group, alpn: "h3", resumed: false });
      // The key log of Go has no exporter secret.
      const lines = all(met.ours, "keyLog").map(({ line }) => line);
      expect(lines.filter((line) => !line.startsWith("EXPORTER_SECRET")).sort()).toEqual(met.log.trim().split("\n").sort());
    });

    test.each(["p256", "p384", "rsa", "ed25519", "chained"])("with its certificate %s", async (name) => {
      const met = await meet(peer, new Client(clientOptions(), T0), { config: await theirServer({ identity: pemOf(name) }) });
      expectComplete(met);
      expect(find(met.ours, "peerCertificate")?.chain).toEqual(credential(name).chain);
    });

    test("HelloRetryRequest", async () => {
      const client = new Client(clientOptions({ shares: ["secp256r1"] }), T0);
      const met = await meet(peer, client, { config: await theirServer({ groups: [GROUPS.x25519] }) });
      expectComplete(met);
      expect(find(met.ours, "complete")?.group).toBe("x25519");
      expect(met.theirs.filter(({ is, level }) => is === "octets" && level === "initial")).toHaveLength(2);
    });

    test("our certificate, and none where one is required", async () => {
      const config = await theirServer({ clients: true });
      for (const name of ["client", "client-rsa"]) {
        const met = await meet(peer, new Client(clientOptions({ credentials: [credential(name)] }), T0), { config });
        expectComplete(met);
        expect(met.theirs.find(({ is }) => is === "complete")?.chain).toEqual(credential(name).chain.map(hex));
      }
      expect((await meet(peer, new Client(clientOptions(), T0), { config })).alert).toBe(116);
    });

    test.each([
      ["stranger", "certificateUntrusted"],
      ["other", "certificateOfOther"],
    ])("we refuse its certificate %s", async (name, fault) => {
      const met = await meet(peer, new Client(clientOptions(), T0), { config: await theirServer({ identity: pemOf(name) }) });
      expect([faultOf(met.ours), find(met.ours, "complete")]).toEqual([fault, undefined]);
    });

    test("it refuses our protocols with no_application_protocol", async () => {
      const met = await meet(peer, new Client(clientOptions({ alpn: ["other"] }), T0), { config: await theirServer() });
      expect([met.alert, find(met.ours, "complete")]).toEqual([120, undefined]);
    });

    test.each(SUITES)("resumption and 0-RTT data with %s", async (suite) => {
      const config = await theirServer();
      const first = await meet(peer, new Client(clientOptions({ suites: [suite] }), T0), { config, ticket: true });
      const session = find(first.ours, "session")!.session;
      expect(session.early).toBe(true);
      const again = await meet(peer, new Client(clientOptions({ suites: [suite], session, early: true }), T0), { config, ticket: true });
      expectComplete(again);
      expect(find(again.ours, "complete")?.resumed).toBe(true);
      expect(find(again.ours, "earlyData")?.accepted).toBe(true);
      expect(again.theirs.some(({ is, level }) => is === "secret" && level === "early")).toBe(true);
      const third = find(again.ours, "session")!.session;
      expectComplete(await meet(peer, new Client(clientOptions({ suites: [suite], session: third }), T0), { config }));
    });

    test("0-RTT data with another protocol is rejected, and the session resumed", async () => {
      const config = await theirServer({ protocols: ["other", "h3"] });
      const first = await meet(peer, new Client(clientOptions(), T0), { config, ticket: true });
      const session = find(first.ours, "session")!.session;
      const met = await meet(peer, new Client(clientOptions({ alpn: ["h3", "other"], session, early: true }), T0), { config });
      expect([find(met.ours, "earlyData")?.accepted, met.alert]).toEqual([false, undefined]);
      expect(find(met.ours, "complete")).toMatchObject({ resumed: true, alpn: "other" });
    });

    test("a session of an unknown server gives a full handshake", async () => {
      const first = await meet(peer, new Client(clientOptions(), T0), { config: await theirServer(), ticket: true });
      const session = find(first.ours, "session")!.session;
      const met = await meet(peer, new Client(clientOptions({ session, early: true }), T0), { config: await theirServer() });
      expect(find(met.ours, "earlyData")?.accepted).toBe(false);
      expect(find(met.ours, "complete")?.resumed).toBe(false);
    });

    test("both export the same keying material", async () => {
      const client = new Client(clientOptions(), T0);
      const { id } = await meet(peer, client, { config: await theirServer() });
      const { events } = await peer.ask({ on: id, export: "EXPORTER-touchstone" });
      expect(events[0]?.octets).toBe(hex(client.exported("EXPORTER-touchstone", octets("context"), 32)));
    });
  });

  describe("their client", () => {
    test.each(SUITES.flatMap((suite) => groups.map((group) => [suite, group] as const)))("%s and %s", async (suite, group) => {
      const met = await meet(peer, new Server(serverOptions({ suites: [suite], groups: [group], keyLog: true }), T0), {
        config: await theirClient(),
      });
      expectComplete(met);
      expect(find(met.ours, "complete")).toMatchObject({ suite, group, alpn: "h3", serverName: "localhost" });
    });

    test.each(["p256", "p384", "rsa", "ed25519", "chained"])("with our certificate %s", async (name) => {
      const met = await meet(peer, new Server(serverOptions({ credentials: () => [credential(name)] }), T0), {
        config: await theirClient(),
      });
      expectComplete(met);
      expect(met.theirs.find(({ is }) => is === "complete")?.chain).toEqual(credential(name).chain.map(hex));
    });

    test("HelloRetryRequest", async () => {
      const config = await theirClient({ groups: [GROUPS.x25519, GROUPS.secp256r1] });
      const server = new Server(serverOptions({ groups: ["secp256r1"] }), T0);
      const met = await meet(peer, server, { config });
      expectComplete(met);
      expect(met.theirs.filter(({ is, level }) => is === "octets" && level === "initial")).toHaveLength(2);
    });

    test("its certificate, and none where one is required", async () => {
      const clients = { trust: CLIENT_TRUST, required: true };
      const met = await meet(peer, new Server(serverOptions({ clients }), T0), {
        config: await theirClient({ identity: pemOf("client") }),
      });
      expectComplete(met);
      expect(find(met.ours, "peerCertificate")?.chain).toEqual(credential("client").chain);
      const without = await meet(peer, new Server(serverOptions({ clients }), T0), { config: await theirClient() });
      expect(faultOf(without.ours)).toBe("certificateRequired");
    });

    test("it refuses a certificate of a stranger and of another name", async () => {
      for (const name of ["stranger", "other"]) {
        const met = await meet(peer, new Server(serverOptions({ credentials: () => [credential(name)] }), T0), {
          config: await theirClient(),
        });
        expect([met.alert === undefined, find(met.ours, "complete")]).toEqual([false, undefined]);
      }
    });

    test("we refuse its protocols", async () => {
      const met = await meet(peer, new Server(serverOptions(), T0), { config: await theirClient({ protocols: ["other"] }) });
      expect(faultOf(met.ours)).toBe("protocolNotShared");
    });

    test.each(SUITES)("resumption and 0-RTT data with %s", async (suite) => {
      const tickets = new Tickets({ primitives: TLS_PRIMITIVES });
      const early = new EarlyGuard(instant(0));
      const config = await theirClient({ sessions: true });
      const serve = (): Server => new Server(serverOptions({ suites: [suite], tickets, early }), T0);
      expectComplete(await meet(peer, serve(), { config }));
      const again = await meet(peer, serve(), { config });
      expectComplete(again);
      expect(find(again.ours, "complete")?.resumed).toBe(true);
      expect(again.theirs.find(({ is }) => is === "complete")?.resumed).toBe(true);
      expect(find(again.ours, "earlyData")?.accepted).toBe(true);
      expect(again.theirs.some(({ is }) => is === "earlyRejected")).toBe(false);
    });

    test("0-RTT data is rejected without a guard, and the session resumed", async () => {
      const tickets = new Tickets({ primitives: TLS_PRIMITIVES });
      const config = await theirClient({ sessions: true });
      await meet(peer, new Server(serverOptions({ tickets, early: new EarlyGuard(instant(0)) }), T0), { config });
      const again = await meet(peer, new Server(serverOptions({ tickets }), T0), { config });
      expect([find(again.ours, "earlyData")?.accepted, find(again.ours, "complete")?.resumed]).toEqual([false, true]);
      expect(again.theirs.some(({ is }) => is === "earlyRejected")).toBe(true);
    });
  });
});
