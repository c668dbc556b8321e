import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { field, instant } from "../../reference/core/index.ts";
import { Connection, type Event, type Fault } from "../../reference/http1/index.ts";

/** An answer of the peer: its status, whether it said that it is the last, and whether it came to its end. */
export type Answer = { readonly status: number; readonly closes: boolean; readonly isWhole: boolean };
export type Seen = {
  /** How it ended: the peer closed by itself, or after we had ended our half; it neither said nor did anything more; nobody was there. */
  readonly is: "closed" | "closed late" | "silent" | "unreachable";
  readonly octets: Uint8Array;
};

/** Most octets of a peer that are looked at. */
const MOST = 1 << 20;

/** `quietMs`: silence after which our half of the connection is ended, since some peers wait for more until then. */
export type Patience = { readonly quietMs: number; readonly limitMs: number };

/** Sends octets on a connection of its own, and hears the peer out. */
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
      if (size > MOST) return done("silent");
      if (!hasEnded) quiet.refresh();
      return undefined;
    });
  });
}

const open = (url: URL): Socket => {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  return url.protocol === "https:"
    ? connectTls({ host, port, ALPNProtocols: ["http/1.1"], rejectUnauthorized: false })
    : connectTcp({ port, host, allowHalfOpen: true });
};

const T0 = instant(0);
/** Octets after an answer that are no answer any more; or what in an answer breaks a rule. */
export type Answers = { readonly answers: readonly Answer[]; readonly broken?: Fault };

/** The final responses among the octets, each read by a machine of its own that has asked with the method it answers. */
export function answersIn(octets: Uint8Array, methods: readonly string[]): Answers {
  const answers: Answer[] = [];
  for (let at = 0; at < octets.length;) {
    const { answer, used, fault } = answerAt(octets.subarray(at), methods[answers.length] ?? "GET");
    if (fault !== undefined) return { answers, broken: fault };
    if (answer === undefined) return { answers };
    answers.push(answer);
    at += used;
    // Who refuses what it cannot read does not know that it was HEAD, and sends content: nothing follows that.
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
  // Octet by octet: where the answer ends is then where the machine says so.
  let used = 0;
  while (!heard.isWhole && heard.fault === undefined && used < octets.length) hear(machine.receive(octets.slice(used, ++used), T0));
  const { isWhole } = heard;
  const closes = !machine.accepting;
  if (!isWhole && heard.fault === undefined) hear(machine.ended(T0));
  const { status, fault } = heard;
  if (fault !== undefined && fault.name !== "endedEarly") return { used, fault };
  return status === undefined ? { used } : { answer: { status, closes: closes || !isWhole, isWhole: heard.isWhole }, used };
}
