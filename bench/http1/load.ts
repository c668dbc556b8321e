import { connect, type Socket } from "node:net";
import type { Measures } from "../lib/alternate.ts";
import { dial, tlsOptions } from "../lib/dial.ts";
import { measured } from "../lib/measured.ts";
import type { BenchSubject } from "../lib/subject.ts";

const TIME_LIMIT_S = 120;

/** The load generator, an optional peer dependency. Throws with how to install it. */
async function loadAutocannon(): Promise<typeof import("autocannon")> {
  try {
    return (await import("autocannon")).default;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new Error("The bench of HTTP/1.1 needs autocannon, which is not installed: npm install autocannon@8", { cause });
  }
}

/** A closed loop by autocannon: each connection sends the next request as soon as it has an answer. */
export async function closedLoop(
  subject: BenchSubject,
  load: { readonly connections: number; readonly seconds: number },
): Promise<Measures> {
  const autocannon = await loadAutocannon();
  return measured(subject, "request", async () => {
    const { errors, timeouts, non2xx, requests, duration } = await autocannon({
      url: `${subject.origin}${subject.paths.small}`,
      connections: load.connections,
      duration: load.seconds,
      tlsOptions: tlsOptions(subject.tls),
    });
    const failed = errors + timeouts + non2xx;
    if (failed > 0) throw new Error(`${subject.name}: ${failed} of ${requests.total} requests failed.`);
    return { count: requests.total, seconds: duration };
  });
}

/** `depth`: pipelined requests in a batch. `requests`: in total. */
export type Batches = { readonly connections: number; readonly depth: number; readonly requests: number };

/** A closed loop of batches: each connection sends a batch in one write, and the next once all its requests are answered. */
export function batches(subject: BenchSubject, { connections, depth, requests }: Batches): Promise<Measures> {
  const one = `GET ${subject.paths.small} HTTP/1.1\r\nHost: ${host(subject)}\r\n\r\n`;
  const batch = Buffer.from(one.repeat(depth), "latin1");
  const rounds = Math.ceil(requests / depth / connections);
  return measured(subject, "request", async () => {
    const began = performance.now();
    await Promise.all(Array.from({ length: connections }, () => sendBatches(subject, batch, { depth, rounds })));
    return { count: rounds * depth * connections, seconds: (performance.now() - began) / 1_000 };
  });
}

type BatchRun = { readonly depth: number; readonly rounds: number };

/** All answers have the same length: after the first, only octets are counted, so that the client is faster than the server. */
function sendBatches(subject: BenchSubject, batch: Buffer, { depth, rounds }: BatchRun): Promise<void> {
  return new Promise((resolve, reject) => {
    let each = 0;
    let due = 0;
    let left = rounds;
    const socket = dial(subject, () => socket.write(batch));
    const fail = (why: string): void => {
      socket.destroy();
      reject(new Error(`${subject.name}: ${why}`));
    };
    socket.setTimeout(TIME_LIMIT_S * 1_000, () => fail("no answer in time"));
    socket.once("error", (error) => fail(error.message));
    socket.once("end", () => fail("the server closed the connection"));
    socket.on("data", (octets: Buffer) => {
      if (each === 0) {
        each = lengthOf(octets);
        if (each === 0) return fail(`expected a 200 with Content-Length, got "${octets.toString("latin1").split("\r\n", 1)[0]}"`);
        due = each * depth;
      }
      due -= octets.length;
      if (due > 0) return undefined;
      left -= 1;
      if (due < 0) return fail("answers differ in length");
      due = each * depth;
      if (left > 0) return void socket.write(batch);
      socket.destroy();
      return resolve();
    });
  });
}

/** The length of the first answer with its content; 0 unless it is a 200 with Content-Length. */
function lengthOf(octets: Buffer): number {
  const text = octets.toString("latin1");
  const end = text.indexOf("\r\n\r\n");
  const length = /^HTTP\/1\.1 200[^]*?\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end))?.[1];
  return end < 0 || length === undefined ? 0 : end + 4 + Number(length);
}

/** `count` GETs in sequence on one connection; counts and drops the content. */
export function downloads(subject: BenchSubject, count: number, path: string): Promise<Measures> {
  const message = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host(subject)}\r\n\r\n`, "latin1");
  return transfers(subject, { count, path, message });
}
/** `count` POSTs of `content` in sequence on one connection. */
export function uploads(subject: BenchSubject, count: number, path: string, content: Buffer): Promise<Measures> {
  const head = Buffer.from(`POST ${path} HTTP/1.1\r\nHost: ${host(subject)}\r\nContent-Length: ${content.length}\r\n\r\n`, "latin1");
  return transfers(subject, { count, path, message: Buffer.concat([head, content]), octetsEach: content.length });
}

const host = (subject: BenchSubject): string => new URL(subject.origin).host;

/** `octetsEach`: octets of content sent with each message; without it, received octets count. */
type Transfers = { readonly count: number; readonly path: string; readonly message: Buffer; readonly octetsEach?: number };
async function transfers(subject: BenchSubject, { count, path, message, octetsEach }: Transfers): Promise<Measures> {
  return measured(subject, "request", async () => {
    const began = performance.now();
    const received = await exchange(subject, message, count, path);
    const octets = octetsEach === undefined ? received : octetsEach * count;
    return { count, octets, seconds: (performance.now() - began) / 1_000 };
  });
}

/** Sends the message `count` times, each after the previous answer. Returns the octets of content received. */
function exchange(subject: BenchSubject, message: Buffer, count: number, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let left = count;
    let head = "";
    /** Octets of content left; -1 while reading a head. */
    let content = -1;
    let received = 0;
    const socket = dial(subject, () => socket.write(message));
    const fail = (why: string): void => {
      socket.destroy();
      reject(new Error(`${subject.name}, ${path}: ${why}`));
    };
    const over = (): void => {
      content = -1;
      left -= 1;
      if (left > 0) socket.write(message);
      else {
        socket.destroy();
        resolve(received);
      }
    };
    socket.setTimeout(TIME_LIMIT_S * 1_000, () => fail("no answer in time"));
    socket.once("error", (error) => fail(error.message));
    socket.once("end", () => fail("the server closed the connection"));
    socket.on("data", (octets: Buffer) => {
      if (content < 0) {
        head += octets.toString("latin1");
        const end = head.indexOf("\r\n\r\n");
        if (end < 0) return undefined;
        const length = /^HTTP\/1\.1 2[^]*\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end))?.[1];
        if (length === undefined) return fail(`expected a 2xx with Content-Length, got "${head.split("\r\n", 1)[0]}"`);
        const here = head.length - end - 4;
        head = "";
        content = Number(length) - here;
        received += here;
      } else {
        content -= octets.length;
        received += octets.length;
      }
      return content === 0 ? over() : undefined;
    });
  });
}

/** Opens a connection and waits for one answer. */
export const answered = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"));
    socket.once("error", reject);
    socket.once("data", () => resolve(socket.resume()));
  });
