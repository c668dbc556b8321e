import { createHash } from "node:crypto";
import type { Accepted, ClientAddress, ClientHost, ClientRun } from "../../harness/subject/client-run.ts";
import { Stage } from "../../harness/connection/stage.ts";
import { fill, type Values } from "../../wire/http1/build.ts";
import { membersOf } from "../../wire/http1/read.ts";
import { GUID } from "../../wire/websocket/numbers.ts";
import { reportIn } from "../telling.ts";
import type { Ask, Sight } from "../vocabulary.ts";
import { acceptOf } from "./connection.ts";
import { ServedConnection, type ServedSetting } from "./client-connection.ts";
import { clientMonitor } from "./client-monitors.ts";
import { Http1Served } from "./served-http1.ts";
import { type Serving, ServedStreams } from "./served-http2.ts";
import { isSeen, type View } from "./sights.ts";

/** How long a client whose connection has ended may take to report it and to end, in milliseconds. */
const REPORT_MS = 5_000;
/** The default path. */
const PATH = "/touchstone";

/** The accept value of a key, and wrong values that resemble it (rfc6455#4.1). */
function acceptsOf(key: string): Values {
  const accept = acceptOf(key);
  const sha1 = (what: string | Buffer, more = ""): string => createHash("sha1").update(what).update(more).digest("base64");
  return {
    accept,
    acceptOfKeyAlone: sha1(key),
    acceptOfOctets: sha1(Buffer.from(key, "base64"), GUID),
    acceptLower: accept.toLowerCase(),
    acceptHex: Buffer.from(accept, "base64").toString("hex"),
    acceptCut: accept.slice(0, -1),
    acceptSpaced: `${accept.slice(0, 10)} ${accept.slice(10)}`,
  };
}

const SERVER_WINDOW = /; *server_max_window_bits="?(\d+)"?/;
const NO_TAKEOVER = /; *server_no_context_takeover/;
const OWN_NO_TAKEOVER = /; *client_no_context_takeover/;

/** Responses to its offer of permessage-deflate as field lines: one that grants everything, and some that do not (rfc7692#7.1). */
function deflateOf(offers: readonly string[]): Values {
  const offer = offers.find((one) => one.startsWith("permessage-deflate"));
  if (offer === undefined) return {};
  const takeover = NO_TAKEOVER.exec(offer)?.[0] ?? "";
  const own = OWN_NO_TAKEOVER.exec(offer)?.[0] ?? "";
  const [window = "", bits = "15"] = SERVER_WINDOW.exec(offer) ?? [];
  const line = (...parameters: readonly string[]): string => `Sec-WebSocket-Extensions: permessage-deflate${own}${parameters.join("")}`;
  return {
    deflate: line(takeover, window),
    deflateWithTakeover: line(window),
    deflateWithoutWindow: line(takeover),
    deflateOfLargerWindow: line(takeover, window.replace(bits, "15")),
  };
}

/** What one performance of a case on a client works on: its connections to us, and its end. */
export class WebSocketClientStage extends Stage<Sight> implements ClientHost {
  readonly connections = new Map<number, ServedConnection>();
  readonly url: string;
  readonly protocols: readonly string[];
  /** A step waited in vain: nothing that the client does afterwards makes up for it. */
  missed = false;
  /** The client has ended. */
  gone = false;
  /** What its program was told about its first connection. */
  readonly reports = new Map<number, string>();
  run: ClientRun | undefined;
  /** Whether extended CONNECT is enabled over HTTP/2. */
  readonly announces: boolean;
  readonly #base: Values;
  /** The keys of all performances. */
  readonly #keys: Map<string, WebSocketClientStage>;

  constructor({ authority, secure }: ClientAddress, ask: Ask, timeout: number, keys: Map<string, WebSocketClientStage>) {
    super(timeout);
    this.#keys = keys;
    // Later performances check their keys against this one.
    this.afterwards(() => this.hasOldKey);
    const scheme = secure ? "wss" : "ws";
    this.protocols = ask.protocols ?? [];
    this.announces = ask.announces !== false;
    const query = this.protocols.length === 0 ? "" : `?protocols=${this.protocols.join(",")}`;
    const path = (ask.path ?? PATH) + query;
    this.url = `${scheme}://${authority}${path}`;
    this.#base = { scheme, authority, path: path === "" ? "/" : path };
  }

  take(socket: Accepted): void {
    const serving = (): Serving => ({
      recorder: this.recorder,
      announces: this.announces,
      another: () => this.#open((listener) => streams().carrier(listener)),
    });
    let opened: ServedStreams | undefined;
    const streams = (): ServedStreams => (opened ??= new ServedStreams(socket, serving()));
    this.#open((listener) => new Http1Served(socket, listener, () => streams().carrier(listener)));
  }
  #open(carrier: ServedSetting["carrier"]): void {
    const on = this.connections.size + 1;
    if (on > 1) this.recorder.remark(`the client opened connection number ${on}`);
    const made = new ServedConnection(on, {
      recorder: this.recorder,
      waiting: this,
      fill: (text: string) => fill(text, this.values(on)),
      carrier,
    });
    this.connections.set(on, made);
    this.afterwards(() => made.drop());
    this.poke();
  }

  /** What the braces of a case stand for on this connection. */
  values(on = 1): Values {
    const connection = this.connections.get(on);
    const key = connection?.key ?? "";
    const [protocol = ""] = membersOf(connection?.request?.fields ?? [], "sec-websocket-protocol");
    const offers = membersOf(connection?.request?.fields ?? [], "sec-websocket-extensions");
    return { ...this.#base, key, protocol, ...acceptsOf(key), ...deflateOf(offers) };
  }

  /** Whether a handshake had the key of another performance. It adds its keys to the known ones. */
  get hasOldKey(): boolean {
    let old = false;
    for (const { key } of this.connections.values()) {
      if (key === "") continue;
      old ||= (this.#keys.get(key) ?? this) !== this;
      if (!this.#keys.has(key)) this.#keys.set(key, this);
    }
    return old;
  }

  get view(): View {
    return {
      conversation: (on) => this.connections.get(on),
      conversations: [...this.connections.values()],
      values: (on) => this.values(on),
      fenced: this.fenced,
      report: (on) => this.reports.get(on),
      monitor: (name) => clientMonitor(name, this),
    };
  }

  /** Waits for the end of the client, and reads its report. */
  async hear(): Promise<void> {
    await this.until(() => this.gone, Math.max(this.timeout, REPORT_MS));
    const report = reportIn(this.run?.said ?? "");
    if (report !== undefined) this.reports.set(1, report);
  }

  sees(sight: Sight): boolean {
    return isSeen(sight, this.view);
  }

  /** The client has ended, or has ended every connection. */
  get over(): boolean {
    return this.gone || (this.connections.size > 0 && [...this.connections.values()].every(({ ended }) => ended !== undefined));
  }

  get connected(): boolean {
    return this.connections.size > 0;
  }
  get quiet(): boolean {
    return [...this.connections.values()].every(({ ended }) => ended !== undefined);
  }
  left(): void {
    this.gone = true;
  }
}
