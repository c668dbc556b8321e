import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";

/** The command as users run it, in processes of its own. */

const BIN = new URL("../../touchstone.ts", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "touchstone-run-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text = ""): string => {
  const path = join(folder, name);
  if (text !== "") writeFileSync(path, text);
  return path;
};

/** A server that writes its process id and that of a child of its own into a file, and listens on the port it is given after a while. */
const SERVER = file(
  "server.mjs",
  `import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { writeFileSync } from "node:fs";
const [port, pids, late] = process.argv.slice(2);
const child = spawn("sleep", ["600"]);
writeFileSync(pids, process.pid + " " + child.pid);
process.on("SIGTERM", () => {});
setTimeout(() => createServer((request, response) => response.end("hello")).listen(Number(port), "127.0.0.1"), Number(late));
`,
);

type Ended = { readonly status: number | null; readonly out: string; readonly err: string };
const running: ChildProcess[] = [];
const servers: Server[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
  for (const server of servers.splice(0)) server.close();
});

function started(...args: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended>; err(): string } {
  const child = spawn(process.execPath, [BIN, "check", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  running.push(child);
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  return { child, ended: once(child, "close").then(([status]) => ({ status: status as number | null, out, err })), err: () => err };
}
const touchstone = (...args: readonly string[]): Promise<Ended> => started(...args).ended;

/** Whether a process runs; one that has ended may still be waited for by its parent. */
function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
/** The processes that the server of the test has noted. */
const noted = (pids: string): number[] => readFileSync(pids, "utf8").split(" ").map(Number);
/** Waits until something is so. Throws if it is not in time. */
async function until(test: () => boolean): Promise<void> {
  const began = performance.now();
  while (!test()) {
    if (performance.now() - began > LONGEST_MS) throw new Error("it did not come about");
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}
const LONGEST_MS = 100_000;

async function server(answer: (nth: number) => number = () => 200): Promise<string> {
  let count = 0;
  const made = createServer((_, response) => response.writeHead(answer(++count), { "content-length": "5" }).end("hello"));
  made.listen(0, "127.0.0.1");
  await once(made, "listening");
  servers.push(made);
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}/`;
}

const FEW = ["--only", "http1/host-empty,http1/host-missing"];

describe("--start", () => {
  test("starts the server at a free port, waits for it, judges it, and ends it with its children", async () => {
    const pids = file("pids-start");
    const { status, out } = await touchstone("http1", "http://127.0.0.1:{port}/", "--start", `node ${SERVER} {port} ${pids} 300`, ...FEW);
    expect(out).toContain("2 cases in");
    expect(status).toBe(0);
    await until(() => !noted(pids).some(isAlive));
  });

  test("a second signal, and the children are gone too", async () => {
    const pids = file("pids-signal");
    const { child, ended, err } = started("http1", "http://127.0.0.1:{port}/", "--start", `node ${SERVER} {port} ${pids} 600000`, ...FEW);
    await until(() => err().includes("waiting up to") && existsSync(pids));
    child.kill("SIGINT");
    await until(() => err().includes("interrupted by SIGINT"));
    child.kill("SIGINT");
    expect((await ended).status).toBe(130);
    await until(() => !noted(pids).some(isAlive));
  });

  test("a command that ends is reported with what it said, at once", async () => {
    const { status, err } = await touchstone(
      "http1",
      "http://127.0.0.1:{port}/",
      "--start",
      "sh -c 'echo error: no port >&2; exit 4'",
      ...FEW,
    );
    expect(err).toContain("touchstone: The command of --start ended with status 4: error: no port.");
    expect(status).toBe(3);
  });

  test("a server that was there before is not judged in its place", async () => {
    const { status, err } = await touchstone("http1", await server(), "--start", "sleep 60", ...FEW);
    expect(err).toMatch(/Something listens on 127\.0\.0\.1:\d+ already/);
    expect(status).toBe(2);
  });
});

describe("a run that a signal ends", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s: every report is partial, and no baseline is written", async (signal, expected) => {
    const [json, junit, baseline] = [file(`${signal}.json`), file(`${signal}.xml`), file(`${signal}-known.json`)];
    const url = await server();
    const { child, ended, err } = started(
      "http1",
      url,
      "--concurrency",
      "1",
      "--save",
      json,
      "--junit",
      junit,
      "--write-baseline",
      baseline,
    );
    // The line at the first quarter: before the first case there would be nothing to report.
    await until(() => /http1: \d+ of 1160\n/.test(err()));
    child.kill(signal);
    const { status, out, err: said } = await ended;
    expect(status).toBe(expected);
    const { partial, cases } = JSON.parse(readFileSync(json, "utf8")) as {
      partial: { ran: number; of: number; why: string };
      cases: unknown[];
    };
    expect(partial).toEqual({ ran: cases.length, of: 1160, why: "interrupted" });
    expect(partial.ran).toBeLessThan(1160);
    expect(readFileSync(junit, "utf8")).toContain(`Partial: ${partial.ran} of 1160 cases ran`);
    expect(out).not.toContain("Nothing failed");
    expect(existsSync(baseline)).toBe(false);
    expect(said).toContain("no baseline is written");
  });
});

describe("--repeat, --flaky and --fail-fast", () => {
  test("the list of flaky cases is read like a baseline: an entry without a case is red, and stands last", async () => {
    const known = file("flaky.json", JSON.stringify([{ id: "http1/host-*", why: "a load balancer with one bad node" }]));
    const steady = await touchstone("http1", await server(), "--repeat", "2", "--flaky", known, ...FEW);
    expect(steady.status).toBe(0);
    const stale = file("stale.json", JSON.stringify([{ id: "http1/no-such-case", why: "gone" }]));
    const { status, out } = await touchstone("http1", await server(), "--flaky", stale, ...FEW);
    expect(status).toBe(1);
    expect(out).toContain("stale        http1/no-such-case");
  });

  test("the first failure ends the run", async () => {
    // A server of Node with a lenient parser.
    const lenient = createServer({ insecureHTTPParser: true, requireHostHeader: false }, (_, response) => response.end("hello"));
    lenient.listen(0, "127.0.0.1");
    await once(lenient, "listening");
    servers.push(lenient);
    const url = `http://127.0.0.1:${(lenient.address() as AddressInfo).port}/`;
    const { status, out } = await touchstone("http1", url, "--fail-fast", "--only", "http1/host-*");
    expect(status).toBe(1);
    expect(out).toMatch(/Partial: \d+ of \d+ cases ran, then --fail-fast ended the run\./);
  });
});
