import { connect, type Socket } from "node:net";
import autocannon from "autocannon";
import { cpuTime } from "../lib/cpu.ts";
import type { BenchSubject } from "../lib/subject.ts";

/** What one short run tells: processor time of the server by request and by MiB, and throughput. */
export type LoadMeasures = { readonly [name: string]: number };

const MIB = 1 << 20;
const TIME_LIMIT_S = 120;

/** Closed loop for so many seconds, by autocannon: each connection asks again as soon as it has its answer. */
export function closedLoop(subject: BenchSubject, load: { readonly connections: number; readonly seconds: number }): Promise<LoadMeasures> {
  return measured(subject, async () => {
    const { errors, timeouts, non2xx, requests, duration } = await autocannon({
      url: `${subject.origin}${subject.paths.small}`,
      connections: load.connections,
      duration: load.seconds,
    });
    const failed = errors + timeouts + non2xx;
    if (failed > 0) throw new Error(`${subject.name}: ${failed} of ${requests.total} requests failed.`);
    return { requests: requests.total, octets: 0, seconds: duration };
  });
}

export type Batches = { readonly connections: number; readonly deep: number; readonly requests: number };

/** Closed loop of batches: each connection sends `deep` requests in one write, and the next when all of them are answered. */
export function batches(subject: BenchSubject, { connections, deep, requests }: Batches): Promise<LoadMeasures> {
  const { hostname, port } = new URL(subject.origin);
  const one = `GET ${subject.paths.small} HTTP/1.1\r\nHost: ${host(subject)}\r\n\r\n`;
  const batch = Buffer.from(one.repeat(deep), "latin1");
  const rounds = Math.ceil(requests / deep / connections);
  const place = { host: hostname, port: Number(port), noDelay: true };
  return measured(subject, async () => {
    const began = performance.now();
    await Promise.all(Array.from({ length: connections }, () => ask(place, batch, { deep, rounds, name: subject.name })));
    return { requests: rounds * deep * connections, octets: 0, seconds: (performance.now() - began) / 1_000 };
  });
}

type Asking = { readonly deep: number; readonly rounds: number; readonly name: string };

/** All answers are alike: once the length of one is known, octets are counted and not looked at, so that the server is the slower. */
function ask(place: { readonly host: string; readonly port: number }, batch: Buffer, { deep, rounds, name }: Asking): Promise<void> {
  return new Promise((resolve, reject) => {
    let each = 0;
    let due = 0;
    let left = rounds;
    const socket = connect(place, () => socket.write(batch));
    const fail = (why: string): void => {
      socket.destroy();
      reject(new Error(`${name}: ${why}`));
    };
    socket.setTimeout(TIME_LIMIT_S * 1_000, () => fail("no answer in time"));
    socket.once("error", (error) => fail(error.message));
    socket.once("end", () => fail("it hung up"));
    socket.on("data", (octets: Buffer) => {
      if (each === 0) {
        each = lengthOf(octets);
        if (each === 0) return fail(`a 200 with a Content-Length is wanted, not "${octets.toString("latin1").split("\r\n", 1)[0]}"`);
        due = each * deep;
      }
      due -= octets.length;
      if (due > 0) return undefined;
      left -= 1;
      if (due < 0) return fail("its answers are not all of one length");
      due = each * deep;
      if (left > 0) return void socket.write(batch);
      socket.destroy();
      return resolve();
    });
  });
}

/** The octets of the first answer with its content; 0 where it is none that can be counted. */
function lengthOf(octets: Buffer): number {
  const text = octets.toString("latin1");
  const end = text.indexOf("\r\n\r\n");
  const length = /^HTTP\/1\.1 200[^]*?\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end))?.[1];
  return end < 0 || length === undefined ? 0 : end + 4 + Number(length);
}

/** So many GETs one after another on one connection; the content is counted and dropped. */
export function downloads(subject: BenchSubject, count: number, path: string): Promise<LoadMeasures> {
  return transfers(subject, count, path, () => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host(subject)}\r\n\r\n`, "latin1"), 0);
}
/** So many POSTs of `content` one after another on one connection. */
export function uploads(subject: BenchSubject, count: number, path: string, content: Buffer): Promise<LoadMeasures> {
  const head = Buffer.from(`POST ${path} HTTP/1.1\r\nHost: ${host(subject)}\r\nContent-Length: ${content.length}\r\n\r\n`, "latin1");
  return transfers(subject, count, path, () => Buffer.concat([head, content]), content.length);
}

const host = (subject: BenchSubject): string => new URL(subject.origin).host;

async function transfers(
  subject: BenchSubject,
  count: number,
  path: string,
  message: () => Buffer,
  octetsEach: number,
): Promise<LoadMeasures> {
  const octets = message();
  return measured(subject, async () => {
    const began = performance.now();
    const received = await exchange(subject, octets, count, path);
    return { requests: count, octets: octetsEach === 0 ? received : octetsEach * count, seconds: (performance.now() - began) / 1_000 };
  });
}

/** Sends the message `count` times, each after the answer to the one before; returns the octets of content that came. */
function exchange(subject: BenchSubject, message: Buffer, count: number, path: string): Promise<number> {
  const { hostname, port } = new URL(subject.origin);
  return new Promise((resolve, reject) => {
    let left = count;
    let head = "";
    /** Octets of content still to come; -1 while a head is read. */
    let content = -1;
    let received = 0;
    const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () => socket.write(message));
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
    socket.once("end", () => fail("it hung up"));
    socket.on("data", (octets: Buffer) => {
      if (content < 0) {
        head += octets.toString("latin1");
        const end = head.indexOf("\r\n\r\n");
        if (end < 0) return undefined;
        const length = /^HTTP\/1\.1 2[^]*\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end))?.[1];
        if (length === undefined) return fail(`a 2xx with a Content-Length is wanted, not "${head.split("\r\n", 1)[0]}"`);
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

type Done = { readonly requests: number; readonly octets: number; readonly seconds: number };

async function measured(subject: BenchSubject, load: () => Promise<Done>): Promise<LoadMeasures> {
  const before = subject.pid === undefined ? undefined : cpuTime(subject.pid);
  const { requests, octets, seconds } = await load();
  const after = subject.pid === undefined ? undefined : cpuTime(subject.pid);
  const mib = octets / MIB;
  const cpu =
    before === undefined || after === undefined ? undefined : { total: after.total - before.total, user: after.user - before.user };
  return {
    requestsPerSecond: requests / seconds,
    ...(octets > 0 && { mibPerSecond: mib / seconds }),
    ...(cpu !== undefined && { cpuUsPerRequest: cpu.total / requests, userUsPerRequest: cpu.user / requests }),
    ...(cpu !== undefined && octets > 0 && { cpuMsPerMib: cpu.total / 1_000 / mib, userMsPerMib: cpu.user / 1_000 / mib }),
  };
}

/** A connection that has had one answer, and lies idle. */
export const answered = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"));
    socket.once("error", reject);
    socket.once("data", () => resolve(socket.resume()));
  });
