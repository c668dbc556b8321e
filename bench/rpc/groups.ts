import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ECHO } from "../../reference/serve/rpc/echo.ts";
import { peer } from "../../conformance/peers/index.ts";
import { alternate } from "../lib/alternate.ts";
import { startSubjects } from "../lib/embedded.ts";
import { h2load } from "../lib/h2load.ts";
import { measured } from "../lib/measured.ts";
import type { BenchGroup } from "../lib/result.ts";
import { costAndRate, SPREAD } from "../lib/rows.ts";
import type { Say, Size } from "../lib/size.ts";
import type { BenchSubject } from "../lib/subject.ts";
import { NAMES } from "./contract.ts";

const MESSAGE = { text: "touchstone ".repeat(6).slice(0, 64), number: 1 };
/** Messages of a stream of responses. */
const STREAMED = 1_000;
/** For existing servers. */
const FIELDS = ["content-type: application/grpc", "te: trailers"];

/** A load: the method, how many requests of a round there are, and how many messages answer each. */
type Case = {
  readonly id: "unary" | "repeat";
  readonly title: string;
  readonly rate: string;
  readonly messages: number;
  readonly requests: (size: Size) => number;
};
const CASES: readonly Case[] = [
  { id: "unary", title: "a unary call", rate: "Unary calls per second", messages: 1, requests: ({ requests }) => Math.ceil(requests / 4) },
  {
    id: "repeat",
    title: "a streamed message of 64 B",
    rate: "Streamed messages per second",
    messages: STREAMED,
    requests: ({ requests }) => Math.ceil(requests / 400),
  },
];

type Running = { readonly subject: BenchSubject; readonly child: ChildProcess };

/** Starts a server by name, in a process of its own. */
async function start(name: string): Promise<Running> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "server-subject.ts"), name], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { port } = JSON.parse(line) as { readonly port: number };
  const subject = { name, version: versionOf(name), origin: `http://127.0.0.1:${port}`, pid: child.pid, paths: { small: "/" } };
  return { subject, child };
}
function versionOf(name: string): string {
  if (name === "touchstone") return "";
  const file = join(import.meta.dirname, "../../node_modules", name, "package.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version;
}

/** Servers under the same load of h2load, in turn. */
export async function serverGroups(size: Size, say: Say): Promise<BenchGroup[]> {
  const running = await Promise.all(NAMES.map(start));
  // The compiled mark; it has the echo service beside the one of the conformance suite.
  const mark = await startSubjects([peer("grpc-go")], { protocol: "rpc", say, optional: "grpc-go", pathsOf: () => ({ small: "/" }) });
  const folder = mkdtempSync(join(tmpdir(), "touchstone-bench-"));
  try {
    const groups: BenchGroup[] = [];
    for (const { id, title, rate, messages, requests } of CASES) {
      const upload = join(folder, id);
      writeFileSync(upload, envelope({ ...MESSAGE, number: messages }, id));
      const load = {
        connections: id === "unary" ? 10 : 2,
        streams: id === "unary" ? 32 : 4,
        requests: requests(size),
        upload,
        fields: FIELDS,
      };
      const samples = await alternate(
        [...running.map(({ subject }) => subject), ...mark.subjects],
        size.rounds,
        (subject) =>
          measured(subject, "message", async () => {
            const { succeeded, seconds } = await h2load(`${subject.origin}${ECHO.methods[id]!.path}`, load);
            if (succeeded !== load.requests) throw new Error(`${load.requests - succeeded} of ${load.requests} calls have failed`);
            return { count: succeeded * messages, seconds };
          }),
        (round, { name }) => say(`servers, ${title}, round ${round} of ${size.rounds}: ${name}`),
      );
      const note = `h2load -t1 -c${load.connections} -m${load.streams} -n${load.requests}, ${size.rounds} rounds in turn; ${SPREAD}`;
      groups.push(
        ...costAndRate(samples, {
          id: `rpc/server-${id}`,
          unit: "message",
          costTitle: `Server CPU for ${title}`,
          rateTitle: `${rate}, by server`,
          note,
        }),
      );
    }
    return groups;
  } finally {
    for (const { child } of running) child.kill();
    await mark.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The octets of a message in its envelope. */
function envelope(message: object, id: Case["id"]): Uint8Array {
  const octets = ECHO.methods[id]!.request.encode(message);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(octets.length, 1);
  return Buffer.concat([head, octets]);
}

/** Clients of the same server, in turn, each in a new process. */
export async function clientGroups(size: Size, say: Say): Promise<BenchGroup[]> {
  const server = await start("touchstone");
  try {
    const groups: BenchGroup[] = [];
    for (const { id, title, rate, requests } of CASES) {
      const inFlight = id === "unary" ? 100 : 4;
      const subjects = NAMES.map((name): BenchSubject => ({ ...server.subject, name, version: versionOf(name) }));
      const samples = await alternate(
        subjects,
        size.rounds,
        ({ name, origin }) => calls([name, `${origin}/`, id, String(requests(size)), String(inFlight)]),
        (round, { name }) => say(`clients, ${title}, round ${round} of ${size.rounds}: ${name}`),
      );
      const note = `one connection, ${inFlight} calls in flight, ${requests(size)} calls after a quarter as many for warmth, a new process for each of ${size.rounds} rounds in turn, on Touchstone's server; ${SPREAD}`;
      groups.push(
        ...costAndRate(samples, {
          id: `rpc/client-${id}`,
          unit: "message",
          costTitle: `Client CPU for ${title}`,
          rateTitle: `${rate}, by client`,
          note,
        }),
      );
    }
    return groups;
  } finally {
    server.child.kill();
  }
}

async function calls(args: readonly string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "client-subject.ts"), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { perSecond, cpuUs, userUs } = JSON.parse(line) as { readonly perSecond: number; readonly cpuUs: number; readonly userUs: number };
  return { messagesPerSecond: perSecond, cpuUsPerMessage: cpuUs, userUsPerMessage: userUs };
}
