import { connect } from "node:http2";
import { describe, expect, test } from "vitest";
import { allPeers, clientCommand, peer, startPeer, versionOf, type Peer } from "./index.ts";

const absent: Peer = {
  name: "absent",
  about: "a peer that nobody has",
  install: "apt-get install absent",
  version: { command: ["touchstone-no-such-program"], pattern: "(.*)" },
  http2: { server: { clear: ["touchstone-no-such-program"] } },
  here: import.meta.dirname,
};

describe("peers", () => {
  test("every peer says what it is, how to get it, and is a server or a client", () => {
    for (const p of allPeers()) {
      expect(
        [p.name, p.about, p.install].every((text) => text.length > 0),
        p.here,
      ).toBe(true);
      expect(p.http1 ?? p.http2, p.name).toBeDefined();
      expect(p.version.command.length, p.name).toBeGreaterThan(0);
    }
  });

  test("an unknown name is answered with the known ones", () => {
    expect(() => peer("nginks")).toThrow(/no peer "nginks".*nginx/);
  });

  test("a peer that is not here says how to get it", async () => {
    expect(await versionOf(absent)).toBeUndefined();
    await expect(startPeer(absent)).rejects.toThrow("apt-get install absent");
  });

  test("a server that dies at once gives its last words", async () => {
    const dying: Peer = {
      ...absent,
      version: { command: ["{node}", "--version"], pattern: "v(.*)" },
      http2: { server: { clear: ["{node}", "-e", "console.error('no such option'); process.exit(1)"] } },
    };
    await expect(startPeer(dying)).rejects.toThrow(/did not start: no such option/);
  });

  test("node:http2 starts on a free port, answers, and is gone after stop", async () => {
    const running = await startPeer(peer("node-http2"));
    const session = connect(running.url);
    const status = await new Promise((resolve, reject) => {
      session.once("error", reject);
      session
        .request({ ":path": "/" })
        .once("response", (headers) => resolve(headers[":status"]))
        .resume();
    });
    session.destroy();
    await running.stop();
    expect(status).toBe(200);
    expect(() => process.kill(running.pid, 0)).toThrow(/ESRCH/);
  });

  test("a client's command keeps the place of the URL", async () => {
    expect(await clientCommand(peer("node-http2"))).toContain("{url}");
  });
});
