import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { instant } from "../../../core/index.ts";
import { Client, EarlyGuard, GROUPS, Server, Tickets, type GroupName, type SuiteName } from "../../../tls/index.ts";
import { TLS_PRIMITIVES } from "../primitives.ts";
import { expectComplete } from "./peer-checks.ts";
import { meet, Peer } from "./peer.ts";
import { CLIENT_TRUST, clientOptions, credential, faultOf, find, pemOf, rootPem, serverOptions, T0 } from "./testing.ts";

/** Our ends with those of aioquic, where `ci/peers.sh` installs it. */

const PYTHON = join(tmpdir(), `touchstone-peers-${process.getuid?.() ?? 0}`, "python/bin/python");
const isHere = spawnSync(PYTHON, ["-c", "import aioquic"]).status === 0;
if (!isHere) process.stderr.write("Handshakes with aioquic are left out: it is not installed (bash ci/peers.sh).\n");

const SUITES: readonly SuiteName[] = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"];
const groups: readonly GroupName[] = ["x25519", "secp256r1"];
const combinations = SUITES.flatMap((suite) => groups.map((group) => [suite, group] as const));

describe.runIf(isHere)("aioquic", () => {
  let peer: Peer;
  let configured = 0;
  beforeAll(() => {
    peer = new Peer(PYTHON, [join(import.meta.dirname, "aioquic-peer.py")]);
  });
  afterAll(() => peer.close());

  const configure = async (change: object): Promise<string> => {
    const config = `config${++configured}`;
    await peer.ask({ config, protocols: ["h3"], authority: rootPem, ...change });
    return config;
  };
  const theirServer = (change: object = {}): Promise<string> => configure({ server: true, identity: pemOf("p256"), ...change });
  const theirClient = (change: object = {}): Promise<string> => configure({ name: "localhost", ...change });

  describe("its server", () => {
    test.each(combinations)("%s and %s", async (suite, group) => {
      const met = await meet(peer, new Client(clientOptions({ suites: [suite], groups: [group] }), T0), { config: await theirServer() });
      expectComplete(met);
      expect(find(met.ours, "complete")).toMatchObject({ suite, group, alpn: "h3", resumed: false });
    });

    test.each(["rsa", "ed25519", "chained"])("with its certificate %s", async (name) => {
      const met = await meet(peer, new Client(clientOptions(), T0), { config: await theirServer({ identity: pemOf(name) }) });
      expectComplete(met);
      expect(find(met.ours, "peerCertificate")?.chain).toEqual(credential(name).chain);
    });

    test("resumption and 0-RTT data", async () => {
      const config = await theirServer();
      const first = await meet(peer, new Client(clientOptions(), T0), { config });
      const { session } = find(first.ours, "session")!;
      const met = await meet(peer, new Client(clientOptions({ session, early: true }), T0), { config });
      expectComplete(met);
      expect([find(met.ours, "complete")?.resumed, find(met.ours, "earlyData")?.accepted]).toEqual([true, true]);
    });

    test("it refuses our protocols, and we a certificate of another name", async () => {
      expect((await meet(peer, new Client(clientOptions({ alpn: ["other"] }), T0), { config: await theirServer() })).alert).toBe(120);
      const other = await meet(peer, new Client(clientOptions(), T0), { config: await theirServer({ identity: pemOf("other") }) });
      expect(faultOf(other.ours)).toBe("certificateOfOther");
    });
  });

  describe("its client", () => {
    test.each(combinations)("%s and %s", async (suite, group) => {
      const config = await theirClient({ groups: [GROUPS[group]] });
      const met = await meet(peer, new Server(serverOptions({ suites: [suite] }), T0), { config });
      expectComplete(met);
      expect(find(met.ours, "complete")).toMatchObject({ suite, group, alpn: "h3", serverName: "localhost" });
    });

    test.each(["rsa", "ed25519", "chained"])("with our certificate %s", async (name) => {
      const met = await meet(peer, new Server(serverOptions({ credentials: () => [credential(name)] }), T0), {
        config: await theirClient(),
      });
      expectComplete(met);
      expect(find(met.ours, "complete")?.serverName).toBe("localhost");
    });

    test("its certificate", async () => {
      const clients = { trust: CLIENT_TRUST, required: true };
      const met = await meet(peer, new Server(serverOptions({ clients }), T0), {
        config: await theirClient({ identity: pemOf("client") }),
      });
      expectComplete(met);
      expect(find(met.ours, "peerCertificate")?.chain).toEqual(credential("client").chain);
    });

    test("resumption and 0-RTT data", async () => {
      const tickets = new Tickets({ primitives: TLS_PRIMITIVES });
      const early = new EarlyGuard(instant(0));
      const config = await theirClient({ sessions: true });
      expectComplete(await meet(peer, new Server(serverOptions({ tickets, early }), T0), { config }));
      const met = await meet(peer, new Server(serverOptions({ tickets, early }), T0), { config });
      expectComplete(met);
      expect([find(met.ours, "complete")?.resumed, find(met.ours, "earlyData")?.accepted]).toEqual([true, true]);
    });

    test("it refuses a certificate of a stranger", async () => {
      const met = await meet(peer, new Server(serverOptions({ credentials: () => [credential("stranger")] }), T0), {
        config: await theirClient(),
      });
      expect([met.alert === undefined, find(met.ours, "complete")]).toEqual([false, undefined]);
    });
  });
});
