import { connect } from "node:net";
import autocannon from "autocannon";
import { cpuTime } from "../lib/cpu.ts";
import type { BenchSubject } from "../lib/subject.ts";

/** What one short run tells: processor time of the server by request and by MiB, and throughput. */
export type LoadMeasures = { readonly [name: string]: number };

export type Load = { readonly connections: number; readonly pipelined: number; readonly requests: number };
const MIB = 1 << 20;
const TIME_LIMIT_S = 120;

/** Closed loop, by autocannon: each connection asks again as soon as it has its answer, or `pipelined` ones ahead. */
export async function closedLoop(subject: BenchSubject, load: Load): Promise<LoadMeasures> {
  return measured(subject, async () => {
    const began = performance.now();
    const { errors, timeouts, non2xx, requests } = await autocannon({
      url: `${subject.origin}${subject.paths.small}`,
      connections: load.connections,
      pipelining: load.pipelined,
      amount: load.requests,
      timeout: TIME_LIMIT_S,
    });
    const failed = errors + timeouts + non2xx;
    if (failed > 0) throw new Error(`${subject.name}: ${failed} of ${load.requests} requests failed.`);
    return { requests: requests.total, octets: 0, seconds: (performance.now() - began) / 1_000 };
  });
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
