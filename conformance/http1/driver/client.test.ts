import { get } from "node:http";
import { describe, expect, test } from "vitest";
import { WrongUse } from "../../harness/driver.ts";
import { CONTENT, prints, fails, TWICE, twice, whole } from "../cases/client/phrases.ts";
import type { Case } from "../vocabulary.ts";
import { ClientDriver } from "./client.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import { commandFor } from "../../harness/subject/client-program.ts";

const base = { id: "http1/x", spec: "rfc9112#6.3", covers: ["rfc9112#6.3/x"], level: "MUST", role: "client", title: "T." } as const;
const plain: Case = {
  ...base,
  steps: [{ do: "answer", text: whole() }],
  control: [{ do: "answer", text: whole() }],
  allowed: [{ see: prints() }],
};
const cut: Case = { ...plain, steps: [{ do: "answer", text: whole().slice(0, -1), close: "end" }], allowed: [{ see: fails }] };

/** One request with node:http: resolves with the content when it came whole. */
const ask = (url: string, method: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const asked = get(url, { method, agent: false }, (response) => {
      let content = "";
      response.setEncoding("latin1").on("data", (text: string) => (content += text));
      response.on("end", () => resolve(content));
      response.on("error", reject);
    });
    asked.on("error", reject);
  });
const good: InProcessClient = async (url, _signal, { method, second }) =>
  (await ask(url, method)) + (second === undefined ? "" : await ask(second, method));
/** Takes whatever comes, cut off or not. */
const careless: InProcessClient = async (url, _signal, { method }) =>
  ask(url, method).catch((error: NodeJS.ErrnoException) => {
    if (error.message !== "aborted") throw error;
    return CONTENT;
  });
const driverFor = (client: string | InProcessClient, timeout = 2000, tls = false): ClientDriver =>
  new ClientDriver({ client, timeout, tls });
/** A program of a few words, run by Node; it gets the address as its last argument. */
const program = (text: string): string => `'${process.execPath}' -e '${text}' {url}`;
const asks = `const u=new URL(process.argv[1]);const s=require("net").connect(u.port,u.hostname);s.write("GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n");`;

describe("a client that behaves", () => {
  const driver = driverFor(good);

  test("offers the features that it shows", async () => {
    const { features } = await driver.probe();
    const has = [...features].filter(([, feature]) => feature.has).map(([name]) => name);
    expect(has).toEqual(["output", "status", "second", "together", "head", "post", "clear"]);
    expect(features.get("reuse")?.how).toBe("its second request came on a new connection");
  });

  test("accepts the plain exchange, and reports truncated content", async () => {
    expect(await driver.control(plain)).toMatchObject({ is: "accepted" });
    expect(await driver.play(plain)).toMatchObject({ is: "allowed", index: 0 });
    expect(await driver.play(cut)).toMatchObject({ is: "allowed", index: 0, observed: "GET /first HTTP/1.1; a status other than 0" });
  });

  test("makes a second request when asked to, and both are answered", async () => {
    const both: Case = {
      ...plain,
      ask: TWICE,
      steps: twice(whole()),
      allowed: [
        {
          see: {
            see: "all",
            of: [
              { see: "requests", count: 2 },
              { see: "request", nth: 2, target: "^/second$", connection: "new" },
              prints(`${CONTENT}again`),
            ],
          },
        },
      ],
    };
    expect(await driver.play(both)).toMatchObject({ is: "allowed" });
  });
});

describe("clients that are wrong on purpose", () => {
  test("one that treats truncated content as complete fails", async () => {
    expect(await driverFor(careless).play(cut)).toMatchObject({
      is: "other",
      reason: expect.stringContaining("ended with status 0") as string,
    });
  });

  test("one that prints something else has not accepted the control", async () => {
    const driver = driverFor(async (url, signal, asked) => {
      const content = await good(url, signal, asked);
      return content === CONTENT ? "something" : content;
    });
    await driver.probe();
    expect(await driver.control(plain)).toMatchObject({ is: "refused", reason: expect.stringContaining("not the content") as string });
  });

  test("one that crashes has passed nothing", async () => {
    const crashing = driverFor(program(`${asks}s.once("data",()=>process.kill(process.pid,"SIGSEGV"))`));
    expect(await crashing.play(cut)).toMatchObject({ is: "other", reason: "It was killed by a signal." });
  });

  test("one that never ends is killed, and has not passed", async () => {
    const staying = driverFor(program(`${asks}setInterval(()=>{},1000)`), 300);
    expect(await staying.play(cut)).toMatchObject({ is: "other", reason: "It did not end within 300 ms, and we ended it then." });
  });

  test("one that ends its connection at a mistake and stays gave up; one that stays after our end did not", async () => {
    const garbled: Case = {
      ...cut,
      steps: [{ do: "answer", text: "garbage\r\n\r\n" }],
      allowed: [{ see: fails }, { see: { see: "gave up" } }],
    };
    const leaving = driverFor(program(`${asks}s.once("data",()=>s.destroy());setInterval(()=>{},1000)`), 300);
    expect(await leaving.play(garbled)).toMatchObject({ is: "allowed", index: 1 });
    const staying = driverFor(program(`${asks}setInterval(()=>{},1000)`), 300);
    expect(await staying.play({ ...cut, allowed: garbled.allowed })).toMatchObject({ is: "other" });
    expect(await staying.play(garbled)).toMatchObject({ is: "other" });
  });

  test("one that keeps repeating its request gets the same response, and is counted", async () => {
    const insisting: InProcessClient = async (url) => {
      for (let again = 0; again < 3; again++) await ask(url, "GET").catch(() => {});
      throw new Error("it did not work");
    };
    const once: Case = { ...cut, allowed: [{ see: { see: "all", of: [fails, { see: "requests", count: 1 }] } }] };
    const played = await driverFor(insisting).play(once);
    expect(played).toMatchObject({ is: "other" });
    expect(played.observed.match(/GET/g)).toHaveLength(3);
  });
});

describe("commands", () => {
  test("a command is split into words, and an address is one word", () => {
    const asked = { url: "http://a/b c'd", method: "GET" } as const;
    expect(commandFor("curl -s {head:-I} {post:-d x} {url} {url2}", asked)).toEqual(["curl", "-s", asked.url]);
    expect(commandFor("curl {head:-I -o x} {url} {url2}", { ...asked, method: "HEAD", second: "http://e" })).toEqual([
      "curl",
      "-I",
      "-o",
      "x",
      asked.url,
      "http://e",
    ]);
    expect(commandFor("curl {post:-d x} {url} | cat", { ...asked, method: "POST" })).toEqual([
      "sh",
      "-c",
      "curl -d x 'http://a/b c'\\''d' | cat",
    ]);
  });

  test("the output and the end of a command are kept", async () => {
    const driver = driverFor(program(`require("http").get(process.argv[1],(r)=>r.pipe(process.stdout))`));
    const { features } = await driver.probe();
    expect(features.get("output")).toMatchObject({ has: true });
    expect(features.get("status")).toMatchObject({ has: true });
    expect(features.get("second")).toEqual({ has: false, how: "its command has no {url2}" });
    expect(features.get("head")).toEqual({ has: false, how: "its command has no {head:…}" });
  });

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

test("over TLS the observations are the same", async () => {
  const secure: InProcessClient = async (url) => {
    process.env["NODE_NO_WARNINGS"] = "1";
    const { get: getTls } = await import("node:https");
    return new Promise((resolve, reject) => {
      getTls(url, { rejectUnauthorized: false, agent: false }, (response) => {
        let content = "";
        response.setEncoding("latin1").on("data", (text: string) => (content += text));
        response.on("end", () => resolve(content)).on("error", reject);
      }).on("error", reject);
    });
  };
  const driver = driverFor(secure, 2000, true);
  const { features } = await driver.probe();
  expect(features.get("tls")).toMatchObject({ has: true });
  expect(await driver.play(plain)).toMatchObject({ is: "allowed" });
  expect(await driver.play(cut)).toMatchObject({ is: "allowed" });
});
