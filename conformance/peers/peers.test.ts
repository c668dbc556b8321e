import { connect } from "node:http2";
import { connect as connectTcp } from "node:net";
import { describe, expect, test } from "vitest";
import { allPeers, clientCommand, peer, startPeer, versionOf, type Peer } from "./index.ts";
import { suiteNames } from "../suites.ts";

const absent: Peer = {
  name: "absent",
  about: "a peer that does not exist",
  install: "apt-get install absent",
  version: { command: ["touchstone-no-such-program"], pattern: "(.*)" },
  speaks: { http2: { server: { clear: ["touchstone-no-such-program"] } } },
  here: import.meta.dirname,
};

describe("peers", () => {
  test("every peer has a description, an install command and a suite that exists", () => {
    for (const p of allPeers()) {
      expect(
        [p.name, p.about, p.install].every((text) => text.length > 0),
        p.here,
      ).toBe(true);
      expect(
        Object.keys(p.speaks).filter((suite) => suiteNames.some((name) => name === suite)),
        p.name,
      ).toEqual(Object.keys(p.speaks));
      expect(Object.keys(p.speaks), p.name).not.toEqual([]);
      expect(p.version.command.length, p.name).toBeGreaterThan(0);
    }
  });

  test("an unknown peer is refused with the known names", () => {
    expect(() => peer("nginks")).toThrow(/no peer "nginks".*nginx/);
  });

  test("starting an absent peer fails with how to install it", async () => {
    expect(await versionOf(absent)).toBeUndefined();
    await expect(startPeer(absent, { protocol: "http2" })).rejects.toThrow("apt-get install absent");
  });

  test("starting a server that exits at once fails with its last line", async () => {
    const dying: Peer = {
      ...absent,
      version: { command: ["{node}", "--version"], pattern: "v(.*)" },
      speaks: { http2: { server: { clear: ["{node}", "-e", "console.error('no such option'); process.exit(1)"] } } },
    };
    await expect(startPeer(dying, { protocol: "http2" })).rejects.toThrow(/did not start: no such option/);
  });

  test("node:http2 starts on a free port, answers, and is gone after stop", async () => {
    const running = await startPeer(peer("node-http2"), { protocol: "http2" });
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

  test("a proxy starts with its origin and, if its command uses one, a second port for HTTP/2", async () => {
    const listen =
      "const [ports, origin] = [process.argv.slice(1, -1), process.argv.at(-1)]; for (const port of ports) require('node:net').createServer((s) => s.on('error', () => {}).end(origin)).listen(port, '127.0.0.1');";
    const proxy = (...ports: string[]): Peer => ({
      ...absent,
      version: { command: ["{node}", "--version"], pattern: "v(.*)" },
      speaks: { http1: { proxy: { clear: ["{node}", "-e", listen, ...ports, "{origin}"] } } },
    });
    const hear = (url: string): Promise<string> =>
      new Promise((resolve) => {
        let text = "";
        connectTcp(Number(new URL(url).port), "127.0.0.1")
          .on("data", (octets) => (text += octets.toString()))
          .once("close", () => resolve(text));
      });
    const options = { protocol: "http1", origin: "127.0.0.1:4711" } as const;
    await using two = await startPeer(proxy("{port}", "{http2Port}"), options);
    expect(await hear(two.http2Url ?? two.url)).toBe("127.0.0.1:4711");
    expect(two.http2Url).not.toBe(two.url);
    await using one = await startPeer(proxy("{port}"), options);
    expect(await hear(one.url)).toBe("127.0.0.1:4711");
    expect(one.http2Url).toBeUndefined();
    await expect(startPeer(proxy("{port}"), { protocol: "http1" })).rejects.toThrow("has no http1 server");
  });

  test("the command of a client keeps its {url}", async () => {
    expect(await clientCommand(peer("node-http2"), "http2")).toContain("{url}");
  });
});
