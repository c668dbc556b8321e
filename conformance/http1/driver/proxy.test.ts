import { connect, createServer, type Server, type AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { Unreachable, WrongUse } from "../../harness/driver.ts";
import { Recorder } from "../../harness/connection/recorder.ts";
import { startWrongProxy } from "../impostors/proxy.ts";
import { loadCases } from "../cases/load.ts";
import type { Case } from "../vocabulary.ts";
import { Origin, OriginScene } from "./proxy-origin.ts";
import { ProxyDriver, type ProxyOptions } from "./proxy.ts";

const left: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const clean of left.splice(0).toReversed()) await clean();
});

const driver = (options: Partial<ProxyOptions>): ProxyDriver => {
  const made = new ProxyDriver({ proxy: (origin) => startWrongProxy("lenient", origin), timeout: 5_000, ...options });
  left.push(() => made.close());
  return made;
};
const cases = await loadCases();
const named = (id: string): Case => {
  const found = cases.find((one) => one.id === `http1/proxy-${id}`);
  if (found === undefined) throw new Error(`there is no case ${id}`);
  return found;
};
const listening = async (): Promise<{ readonly server: Server; readonly port: number }> => {
  const server = createServer((socket) =>
    socket
      .resume()
      .on("error", () => {})
      .end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  left.push(() => new Promise((resolve) => server.close(resolve)));
  return { server, port: (server.address() as AddressInfo).port };
};

/** A program that is a proxy: it forwards octets. */
const TUNNEL = `const net = require("node:net"); const [host, port] = process.argv[1].split(":");
net.createServer((client) => { const origin = net.connect(Number(port), host); client.pipe(origin).pipe(client); for (const one of [client, origin]) one.on("error", () => {}); }).listen(Number(process.argv[2]), "127.0.0.1");`;
/** The same, but the connection to the origin on which content was cut off goes to the next client. */
const LEAVING = `const net = require("node:net"); const [host, port] = process.argv[1].split(":"); let left;
net.createServer((client) => { const origin = left ?? net.connect(Number(port), host); left = undefined; let seen = ""; client.on("data", (octets) => { seen += octets; origin.write(octets); }); origin.on("data", (octets) => client.write(octets)); origin.on("end", () => client.end()); for (const one of [client, origin]) one.on("error", () => {}); client.on("close", () => { if (seen.includes("Content-Length: 500")) left = origin; else origin.end(); }); }).listen(Number(process.argv[2]), "127.0.0.1");`;

describe("the way to a proxy", () => {
  test("an address without --origin is refused as a wrong call", async () => {
    await expect(driver({ proxy: "http://127.0.0.1:1/" }).probe()).rejects.toThrow(WrongUse);
    await expect(driver({ proxy: "http://127.0.0.1:1/", origin: "nowhere" }).probe()).rejects.toThrow(/HOST:PORT/);
  });

  test("an unknown name is refused with the known ones", async () => {
    await expect(driver({ proxy: "nginks" }).probe()).rejects.toThrow(/no proxy "nginks".*nginx/);
  });

  test("a command is started with the origin and the port in it", async () => {
    const started = driver({ proxy: `'${process.execPath}' -e '${TUNNEL.replaceAll("\n", " ")}' {origin} {port}` });
    const { features } = await started.probe();
    expect(features.get("keep-alive")?.has).toBe(true);
    expect(features.get("http/1.1 to the origin")?.has).toBe(true);
    expect((await started.play(named("request-lines-in-order"))).is).toBe("allowed");
  });

  test("a command without {origin} is refused; one that dies is reported with its complaint", async () => {
    await expect(driver({ proxy: "some proxy --port {port}" }).probe()).rejects.toThrow(/\{origin\}/);
    const dying = driver({ proxy: `'${process.execPath}' -e 'console.error("no such option"); process.exit(1)' {origin}` });
    await expect(dying.probe()).rejects.toThrow(/did not start: no such option/);
  });

  test("a proxy that answers by itself cannot be judged, and the reason says so", async () => {
    const { port } = await listening();
    const alone = driver({ proxy: `http://127.0.0.1:${port}/`, origin: "127.0.0.1:0" });
    await expect(alone.probe()).rejects.toThrow(Unreachable);
    await expect(driver({ proxy: `http://127.0.0.1:${port}/`, origin: `127.0.0.1:${port}` }).probe()).rejects.toThrow(
      /something listens there already/,
    );
  });

  test("a feature that a proxy does not offer is reported as missing", async () => {
    const plain = driver({ proxy: `'${process.execPath}' -e '${TUNNEL.replaceAll("\n", " ")}' {origin} {port}` });
    const { features } = await plain.probe();
    expect(features.get("http2 front")?.has).toBe(false);
    expect(features.get("trace")?.has).toBe(true);
  });
});

describe("verdicts", () => {
  test("what reached the origin is reported: a hidden request in a tunnel", async () => {
    const tunnel = driver({});
    await tunnel.probe();
    const played = await tunnel.play(named("cl-te"));
    expect(played.is).toBe("other");
    expect(played.reason).toMatch(/both Transfer-Encoding and Content-Length/);
    expect(played.observed).toMatch(/at the origin POST .* then GET .*\/hidden/);
  });

  test("silence is not a refusal, whatever the case allows", async () => {
    const silent = driver({ proxy: (origin) => startWrongProxy("silent", origin), timeout: 20 });
    await expect(silent.probe()).rejects.toThrow(/did not answer/);
    expect(await silent.control(named("cl-te"))).toMatchObject({ is: "refused" });
    expect(await silent.play(named("cl-te"))).toMatchObject({ is: "other" });
  });

  test("octets left over on a connection to the origin break the next request, which then gets no response", async () => {
    const leaving = driver({ proxy: `'${process.execPath}' -e '${LEAVING.replaceAll("\n", " ")}' {origin} {port}`, timeout: 500 });
    await leaving.probe();
    const broken: Case = {
      ...named("request-short-by-reset"),
      steps: [
        { do: "send", text: "POST {path} HTTP/1.1\r\nHost: {authority}\r\nContent-Length: 500\r\n\r\nhel" },
        { do: "await", see: { see: "requests", count: 1 } },
        { do: "close" },
        { do: "wait", ms: 100 },
      ],
    };
    expect((await leaving.play(broken)).reason).toMatch(/Afterwards a good request on a new connection got no response/);
  });

  test("performances take turns, so that what reaches the origin belongs to one", async () => {
    const tunnel = driver({});
    await tunnel.probe();
    const played = await Promise.all(Array.from({ length: 8 }, () => tunnel.play(named("unknown-request-field-forwarded"))));
    expect(played.map(({ is }) => is)).toEqual(Array.from({ length: 8 }, () => "allowed"));
  });
});

describe("the origin", () => {
  const open = async (path: string): Promise<{ readonly scene: OriginScene; readonly port: number }> => {
    const origin = await Origin.listen("127.0.0.1", 0);
    left.push(() => origin.close());
    const scene = new OriginScene({ path }, new Recorder(), () => {});
    origin.begin(scene);
    return { scene, port: origin.port };
  };
  const ask = (port: number, text: string): Promise<string> =>
    new Promise((resolve) => {
      let came = "";
      const socket = connect(port, "127.0.0.1", () => socket.write(text));
      socket.on("data", (octets) => (came += octets.toString("latin1")));
      socket.on("error", () => {});
      socket.on("close", () => resolve(came));
    });

  test("a request of an earlier performance is not counted", async () => {
    const { scene, port } = await open("/touchstone-a-2");
    expect(await ask(port, "GET /touchstone-a-1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")).toBe("");
    expect(scene.requests).toEqual([]);
    expect(scene.connections).toEqual([]);
    await ask(port, "GET /touchstone-a-2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    expect(scene.requests).toHaveLength(1);
  });

  test("it answers requests as the case says, and the fence plainly", async () => {
    const { scene, port } = await open("/p");
    scene.follow({ text: "HTTP/1.1 299 Own\r\nContent-Length: 0\r\n\r\n", close: "end" });
    expect(await ask(port, "GET /p HTTP/1.1\r\nHost: a\r\n\r\n")).toMatch(/^HTTP\/1\.1 299/);
    expect(await ask(port, "GET /p/fence HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")).toMatch(/^HTTP\/1\.1 200.*GET \/p\/fence$/s);
    expect(scene.requests.map(({ request }) => request.target)).toEqual(["/p"]);
  });

  test("a request with Expect: 100-continue gets 100 before its content, then the response", async () => {
    const { port } = await open("/p");
    const socket = connect(port, "127.0.0.1");
    const came: string[] = [];
    socket.on("data", (octets) => {
      came.push(octets.toString("latin1"));
      if (came.length === 1) socket.write("hello");
    });
    socket.write("POST /p HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n\r\n");
    await new Promise((resolve) => socket.on("close", resolve));
    expect(came.join("")).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/);
  });
});
