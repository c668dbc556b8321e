import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { securedFor } from "../lib/network.ts";
import { field, instant } from "../../reference/core/index.ts";
import { Connection, type Event, type Fault } from "../../reference/http1/index.ts";

/** A response of the peer: its status, whether it has Connection: close, and whether it is complete. */
export type Answer = { readonly status: number; readonly closes: boolean; readonly isWhole: boolean };
export type Seen = {
  /** `closed`: the peer closed first. `closed late`: it closed after we ended our half. `silent`: it did not close in time. `unreachable`: no connection. */
  readonly is: "closed" | "closed late" | "silent" | "unreachable";
  readonly octets: Uint8Array;
};

/** Stop reading a peer after this many octets. */
const MAX_READ = 1 << 20;

/** `quietMs`: silence after which we end our half of the connection, because some peers wait for that. */
export type Patience = { readonly quietMs: number; readonly limitMs: number };

/** Sends octets on a new connection and reads until the peer closes. */
export function talk(url: URL, octets: Uint8Array, { quietMs, limitMs }: Patience): Promise<Seen> {
  return new Promise((resolve) => {
    const socket = open(url);
    const pieces: Buffer[] = [];
    let size = 0;
    let connected = false;
    let hasEnded = false;
    const done = (is: Seen["is"]): void => {
      clearTimeout(limit);
      clearTimeout(quiet);
      socket.destroy();
      resolve({ is, octets: new Uint8Array(Buffer.concat(pieces)) });
    };
    const limit = setTimeout(() => done("silent"), limitMs);
    const quiet = setTimeout(() => {
      hasEnded = true;
      socket.end();
    }, quietMs);
    const over = (): void => done(!connected ? "unreachable" : hasEnded ? "closed late" : "closed");
    socket.once(url.protocol === "https:" ? "secureConnect" : "connect", () => {
      connected = true;
      socket.write(octets);
      quiet.refresh();
    });
    socket.on("error", over);
    socket.on("close", over);
    socket.on("end", over);
    socket.on("data", (chunk: Buffer) => {
      pieces.push(chunk);
      size += chunk.length;
      if (size > MAX_READ) return done("silent");
      if (!hasEnded) quiet.refresh();
      return undefined;
    });
  });
}

const open = (url: URL): Socket => {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  return url.protocol === "https:"
    ? connectTls({ host, port, ALPNProtocols: ["http/1.1"], ...securedFor(url) })
    : connectTcp({ port, host, allowHalfOpen: true });
};

const T0 = instant(0);
/** The responses of a peer; `broken`: the fault of the malformed one that follows them. */
export type Answers = { readonly answers: readonly Answer[]; readonly broken?: Fault };

/** The final responses in the octets, each read by a new connection that has sent a request with its method. */
export function answersIn(octets: Uint8Array, methods: readonly string[]): Answers {
  const answers: Answer[] = [];
  for (let at = 0; at < octets.length;) {
    const { answer, used, fault } = answerAt(octets.subarray(at), methods[answers.length] ?? "GET");
    if (fault !== undefined) return { answers, broken: fault };
    if (answer === undefined) return { answers };
    answers.push(answer);
    at += used;
    // A server that cannot parse a request does not know that the method is HEAD and sends content: stop there.
    if (answer.closes && octets[at] !== 0x48) break;
  }
  return { answers };
}

function answerAt(octets: Uint8Array, method: string): { answer?: Answer; used: number; fault?: Fault } {
  const machine = new Connection({ side: "client" }, T0);
  machine.request({ method: method === "CONNECT" ? "GET" : method, target: "/" }, [field("Host", "a")], true);
  machine.take();
  const heard: { status?: number; isWhole: boolean; fault?: Fault } = { isWhole: false };
  const hear = (events: readonly Event[]): void => {
    for (const event of events) {
      if (event.is === "response") heard.status = event.status;
      if (event.is === "data") machine.consumed(event.exchange, event.bytes.length);
      if (event.is === "done") heard.isWhole = true;
      if ((event.is === "failed" || event.is === "closed") && event.fault !== undefined) heard.fault ??= event.fault;
    }
  };
  // Octet by octet, to find where the response ends.
  let used = 0;
  while (!heard.isWhole && heard.fault === undefined && used < octets.length) hear(machine.receive(octets.slice(used, ++used), T0));
  const { isWhole } = heard;
  const closes = !machine.accepting;
  if (!isWhole && heard.fault === undefined) hear(machine.ended(T0));
  const { status, fault } = heard;
  if (fault !== undefined && fault.name !== "endedEarly") return { used, fault };
  return status === undefined ? { used } : { answer: { status, closes: closes || !isWhole, isWhole: heard.isWhole }, used };
}
