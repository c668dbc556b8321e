import { connect } from "node:http2";
import { describe, expect, test } from "vitest";
import { WrongUse } from "../../harness/driver.ts";
import { content, untilRequest, respond, send } from "../cases/phrases.ts";
import type { Case } from "../vocabulary.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import { ClientDriver } from "./client.ts";

const base = { id: "http2/x", spec: "rfc9113#8.1", covers: ["rfc9113#8.1/x"], level: "MUST", role: "client", title: "T." } as const;
const plain: Case = {
  ...base,
  steps: [...untilRequest, send(respond(), content())],
  control: [...untilRequest, send(respond(), content())],
  allowed: [{ see: { see: "exit", ok: true } }],
};
const badPing: Case = {
  ...plain,
  steps: [...untilRequest, send({ type: "PING", stream: 1, hex: "00".repeat(8) })],
  allowed: [{ see: { see: "GOAWAY", code: "PROTOCOL_ERROR" } }, { see: { see: "closed" }, by: "rfc9113#5.4.1", verdict: "warn" }],
};

/** One request with node:http2; rejects when it fails, or when its response has not status 200. */
const good: InProcessClient = (url, signal) =>
  new Promise<void>((resolve, reject) => {
    const session = connect(url);
    const request = session.request({ ":path": "/" });
    signal.addEventListener("abort", () => session.destroy());
    session.on("error", reject);
    request.on("error", reject);
    request.on("response", ({ ":status": status }) => (status === 200 ? undefined : reject(new Error(`status ${status}`))));
    request.on("end", () => {
      session.close();
      resolve();
    });
    request.resume().end();
  });
const driverFor = (client: string | InProcessClient, timeout = 2000, tls = false): ClientDriver =>
  new ClientDriver({ client, timeout, tls });
/** A program of a few words, run by Node. */
const program = (text: string): string => `'${process.execPath}' -e '${text}' {url}`;

describe("a client that behaves", () => {
  const driver = driverFor(good);

  test("accepts the plain exchange, and its settings show its features", async () => {
    const { features } = await driver.probe();
    expect(features.get("clear")).toMatchObject({ has: true });
    expect(features.get("request-body")).toMatchObject({ has: false });
    expect(await driver.control(plain)).toMatchObject({ is: "accepted" });
    expect(await driver.play(plain)).toMatchObject({ is: "allowed", index: 0 });
  });

  test("refuses a mistake on the wire, or by its exit status", async () => {
    expect(await driver.play(badPing)).toMatchObject({ is: "allowed" });
  });

  test("requests that the case leaves open are answered, so that it ends", async () => {
    expect(await driver.play({ ...plain, steps: untilRequest })).toMatchObject({ is: "allowed", index: 0 });
  });
});

describe("clients that are wrong on purpose", () => {
  test("one that accepts everything fails: exit status 0 after a malformed response", async () => {
    // It knows no HTTP/2 at all: it sends what every client sends, and is content with anything.
    const blind = program(
      `const u=new URL(process.argv[1]);const s=require("net").connect(u.port,u.hostname);s.write("PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n"+"\\0\\0\\0\\4\\0\\0\\0\\0\\0"+"\\0\\0\\0\\4\\1\\0\\0\\0\\0"+"\\0\\0\\3\\1\\5\\0\\0\\0\\1\\x82\\x84\\x86","latin1");let n=0;s.on("data",d=>{n+=d.length;if(n>40)setTimeout(()=>process.exit(0),20)})`,
    );
    const driver = driverFor(blind);
    expect(await driver.play(badPing)).toMatchObject({ is: "other", reason: expect.stringContaining("exited with status 0") as string });
  });

  test("one that crashes has refused nothing", async () => {
    const crashing = program(
      `const u=new URL(process.argv[1]);const s=require("net").connect(u.port,u.hostname);s.write("PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n"+"\\0\\0\\0\\4\\0\\0\\0\\0\\0"+"\\0\\0\\0\\4\\1\\0\\0\\0\\0"+"\\0\\0\\3\\1\\5\\0\\0\\0\\1\\x82\\x84\\x86","latin1");s.once("data",()=>process.kill(process.pid,"SIGSEGV"))`,
    );
    expect(await driverFor(crashing).play(badPing)).toMatchObject({ is: "other", reason: expect.stringContaining("SIGSEGV") as string });
  });

  test("one that never ends is killed, and has not passed", async () => {
    const staying: InProcessClient = (url) =>
      new Promise<void>((_resolve, reject) => {
        const session = connect(url);
        session.on("error", reject);
        session.request({ ":path": "/" }).on("error", reject).resume();
      });
    expect(await driverFor(staying, 200).play(plain)).toMatchObject({ is: "other" });
  });
});

describe("commands that do not work", () => {
  test.each([
    ["there-is-no-such-program {url}", 'there is no program "there-is-no-such-program"'],
    [program("process.exit(4)"), "ended with status 4 before it connected"],
    [program('console.error("no such option"); process.exit(2)'), "It said: no such option"],
  ])("%s", async (command, line) => {
    await expect(driverFor(command).probe()).rejects.toThrow(line);
  });

  test("a command without {url} is refused as a wrong call", () => {
    expect(() => driverFor("curl -s")).toThrow(WrongUse);
  });
});
