import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { isIP } from "node:net";
import { Unreachable } from "../../harness/driver.ts";
import { fill } from "../../wire/http1/build.ts";
import { ResponseReader } from "../../wire/http1/read.ts";
import { fromLatin1 } from "../../wire/octets.ts";
import type { Understanding } from "../../diff/entry.ts";
import type { TextEntry } from "./text-entry.ts";

/** One implementation, with its normal responses. */
export type Subject = {
  readonly name: string;
  readonly url: URL;
  /** The statuses of its responses to a GET and a POST: any other 4xx or 5xx is a refusal. */
  readonly taken: { readonly GET: number; readonly POST: number };
  /** It echoes the content of a request, which shows what it accepted as content. */
  readonly echoes: boolean;
};

/** The content of the probe: a subject that echoes returns it. */
const PROBE = "touchstone diff";
/** How long to wait, in milliseconds: at all, and until we close our half of a silent connection, since some servers wait for more until then. */
export type Patience = { readonly limitMs: number; readonly quietMs: number };
const PATIENCE: Patience = { limitMs: 2_000, quietMs: 250 };
const MOST_OCTETS = 1_048_576;

/** Sends the requests that all others are compared with. Throws `Unreachable` if nothing answers in HTTP/1.1. */
export async function meet(address: string, name: string): Promise<Subject> {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new Unreachable(`"${address}" is no address: give one such as http://127.0.0.1:8080/echo.`);
  }
  const url = new URL(address);
  const host = `Host: ${url.host}\r\nConnection: close\r\n`;
  const [get] = (await talk(url, `GET ${pathOf(url)} HTTP/1.1\r\n${host}\r\n`, ["GET"])).reader.responses;
  if (get === undefined) throw new Unreachable(`${url.host} did not answer a plain GET in HTTP/1.1: is it the right address?`);
  const posting = `POST ${pathOf(url)} HTTP/1.1\r\n${host}Content-Length: ${PROBE.length}\r\n\r\n${PROBE}`;
  const [post] = (await talk(url, posting, ["POST"])).reader.responses;
  return {
    name,
    url,
    taken: { GET: get.status, POST: post?.status ?? 0 },
    echoes: post !== undefined && Buffer.from(post.content).toString("latin1") === PROBE,
  };
}

/** Sends an entry on a new connection, then a plain GET, and returns how both were understood. */
export async function ask(subject: Subject, entry: TextEntry, patience = PATIENCE): Promise<Understanding> {
  const { url } = subject;
  const text = fill(entry.text, valuesFor(url));
  const fence = `GET ${pathOf(url)} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`;
  const method = /^\s*(\S+)/.exec(text)?.[1] ?? "GET";
  const { reader, end } = await talk(url, text + fence, [method], patience);
  const { responses } = reader;
  const last = responses.at(-1);
  // The fence asks for the end of the connection: a clean one after the response to a GET belongs to the fence.
  const isFenceSeen = last !== undefined && responses.length > 1 && last.status === subject.taken.GET && end === "closed";
  const mine = isFenceSeen ? responses.slice(0, -1) : responses;
  return {
    answers: mine.map(({ status, content }, at) => {
      const isTaken = status < 400 || status === subject.taken.GET || (at === 0 && method === "POST" && status === subject.taken.POST);
      return { status, isTaken, ...(subject.echoes && isTaken && { octets: content.length }) };
    }),
    isFenceSeen,
    end,
  };
}

/** Replaces the placeholders of an entry. Lengths count the replaced text. */
function valuesFor(url: URL): Record<string, string> {
  const inner = `GET ${pathOf(url)} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`;
  const octets = { innerOctets: String(inner.length), hiddenOctets: String(inner.length + 5) };
  return { scheme: url.protocol.slice(0, -1), path: pathOf(url), authority: url.host, inner, ...octets };
}
const pathOf = (url: URL): string => `${url.pathname}${url.search}`;

type Talk = { readonly reader: ResponseReader; readonly end: Understanding["end"] };

/** Sends the text, and reads until the end of the connection or the time limit. */
function talk(url: URL, text: string, methods: readonly string[], { limitMs, quietMs } = PATIENCE): Promise<Talk> {
  const reader = new ResponseReader((nth) => methods[nth - 1]);
  return new Promise((resolve, reject) => {
    const socket = dial(url);
    let octets = 0;
    let quiet: NodeJS.Timeout | undefined;
    const over = (end: Talk["end"]): void => {
      clearTimeout(limit);
      clearTimeout(quiet);
      socket.destroy();
      if (end !== "waiting") reader.end(end === "closed" ? "fin" : "reset");
      resolve({ reader, end });
    };
    const listen = (): void => {
      clearTimeout(quiet);
      quiet = setTimeout(() => socket.end(), quietMs);
    };
    const limit = setTimeout(() => over("waiting"), limitMs);
    socket.once(url.protocol === "https:" ? "secureConnect" : "connect", () => {
      socket.removeAllListeners("error");
      socket.on("error", () => over("reset"));
      socket.write(fromLatin1(text));
      listen();
    });
    socket.once("error", (error) => {
      clearTimeout(limit);
      reject(new Unreachable(`${url.host} cannot be reached (${error.message}): start it, or check the address.`));
    });
    socket.once("end", () => over("closed"));
    socket.on("data", (bytes: Buffer) => {
      reader.push(bytes);
      octets += bytes.length;
      if (octets > MOST_OCTETS) over("waiting");
      else listen();
    });
  });
}

function dial(url: URL): Socket {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const place = { host, port: Number(url.port || (url.protocol === "https:" ? 443 : 80)), allowHalfOpen: true, noDelay: true };
  if (url.protocol === "http:") return connect(place);
  return connectTls({ ...place, ALPNProtocols: ["http/1.1"], rejectUnauthorized: false, ...(isIP(host) === 0 && { servername: host }) });
}
