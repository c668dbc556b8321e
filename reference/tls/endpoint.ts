import { Bug, Defaults, Misuse, Writer, type Instant } from "../core/index.ts";
import type { Event, Flight, Level } from "./contract.ts";
import { fault, type Fault, type FaultName } from "./faults.ts";
import { Inbox, type Raw } from "./inbox.ts";
import { Derivation, exported, type Exported, type KeySchedule } from "./key-schedule.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { messageOf, type MessageName } from "./messages.ts";
import { SUITES, type SuiteName } from "./names.ts";
import type { Primitives } from "./primitives.ts";
import { Transcript } from "./transcript.ts";

export type Side = "client" | "server";

/** A cell of a table of states: how to go on after a message, or why it is refused. */
export type Cell<Self> = FaultName | ((self: Self, raw: Raw) => Fault | undefined);
export type Row<Self> = Readonly<Record<MessageName, Cell<Self>>>;

/** The row that permits nothing; states permit what they name besides. */
export const REFUSED = {
  ClientHello: "messageUnexpected",
  ServerHello: "messageUnexpected",
  NewSessionTicket: "messageUnexpected",
  EndOfEarlyData: "messageUnexpected",
  EncryptedExtensions: "messageUnexpected",
  Certificate: "messageUnexpected",
  CertificateRequest: "messageUnexpected",
  CertificateVerify: "messageUnexpected",
  Finished: "messageUnexpected",
  KeyUpdate: "keyUpdate",
} as const satisfies Record<MessageName, FaultName>;

/** QUIC needs a protocol (rfc9001#8.1), and each has 1 to 255 octets (rfc7301#3.1). */
export function mustBeProtocols(alpn: readonly string[]): void {
  const isGood = alpn.length > 0 && alpn.every((name) => name.length > 0 && name.length < 256);
  if (!isGood) throw new Misuse("name at least one protocol in `alpn`, each with 1 to 255 octets");
}

/** What both sides of a connection take. */
export type Common = {
  readonly primitives: Primitives;
  readonly limits?: Partial<Limits>;
  /** Whether `keyLog` events are wanted. */
  readonly keyLog?: boolean;
};

type Both = { readonly client: Uint8Array; readonly server: Uint8Array };
const LIMITS = new Defaults<Limits>(DEFAULT_LIMITS);

/** What both sides of a handshake have: messages in and out, the transcript, the secrets. */
export class Endpoint {
  readonly side: Side;
  readonly primitives: Primitives;
  readonly limits: Limits;
  readonly inbox: Inbox;
  readonly transcript: Transcript;
  now: Instant;
  /** The random value of the ClientHello, by which key logs name a connection. */
  clientRandom: Uint8Array = new Uint8Array(0);
  readonly #logs: boolean;
  #events: Event[] = [];
  #flights: { readonly level: Level; readonly writer: Writer }[] = [];
  #isOver = false;
  #suite: SuiteName | undefined;
  #schedule: KeySchedule | undefined;
  #handshake: Both | undefined;
  #exporter: Uint8Array | undefined;

  constructor(side: Side, { primitives, limits, keyLog }: Common, now: Instant) {
    this.side = side;
    this.primitives = primitives;
    this.limits = LIMITS.with(limits);
    this.inbox = new Inbox(this.limits);
    this.transcript = new Transcript(primitives);
    this.#logs = keyLog === true;
    this.now = now;
  }

  /** Reads what has come, message by message, by the row of the current state. */
  receive<Self extends { readonly row: Row<Self> }>(self: Self, level: Level, octets: Uint8Array): void {
    if (this.#isOver) return;
    let refused = this.inbox.push(level, octets);
    while (refused === undefined) {
      const raw = this.inbox.next();
      if (raw === undefined) return;
      refused = raw.is === "fault" ? raw : handle(self, raw);
    }
    this.#isOver = true;
    this.#flights = [];
    this.emit({ is: "closed", fault: refused });
  }

  emit(event: Event): void {
    this.#events.push(event);
  }
  drain(): readonly Event[] {
    const events = this.#events;
    if (events.length > 0) this.#events = [];
    return events;
  }
  /** Sends a message and adds it to the transcript. */
  send(level: Level, message: Uint8Array): void {
    this.transcript.add(message);
    this.sendAfter(level, message);
  }
  /** Sends a message that is not part of the handshake. */
  sendAfter(level: Level, message: Uint8Array): void {
    let last = this.#flights.at(-1);
    if (last?.level !== level) this.#flights.push((last = { level, writer: new Writer() }));
    last.writer.bytes(message);
  }
  take(): readonly Flight[] {
    const flights = this.#flights.map(({ level, writer }) => ({ level, octets: writer.handOver() }));
    if (flights.length > 0) this.#flights = [];
    return flights;
  }

  derivation(suite: SuiteName): Derivation {
    return new Derivation(this.primitives, SUITES[suite].hash);
  }
  get suite(): SuiteName {
    return known(this.#suite);
  }
  get schedule(): KeySchedule {
    return known(this.#schedule);
  }

  /** The secret of 0-RTT data, of the ClientHello alone; `suite` is the one of the session (rfc8446#4.2.10). */
  earlySecret(schedule: KeySchedule, suite: SuiteName, transcript: Uint8Array): void {
    const secret = schedule.derive("clientEarly", transcript);
    this.#log("CLIENT_EARLY_TRAFFIC_SECRET", secret);
    this.emit({ is: "secret", level: "early", direction: this.side === "client" ? "write" : "read", suite, secret });
  }
  /** After the ServerHello: the secrets of the handshake (rfc8446#7.1). */
  handshakeSecrets(suite: SuiteName, schedule: KeySchedule, shared: Uint8Array): void {
    this.#suite = suite;
    this.#schedule = schedule;
    schedule.advance(shared);
    const transcript = this.transcript.digest();
    const both = { client: schedule.derive("clientHandshake", transcript), server: schedule.derive("serverHandshake", transcript) };
    this.#handshake = both;
    this.#log("CLIENT_HANDSHAKE_TRAFFIC_SECRET", both.client);
    this.#log("SERVER_HANDSHAKE_TRAFFIC_SECRET", both.server);
    for (const direction of ["write", "read"] as const) this.#announce("handshake", direction, both);
  }
  /** After the Finished of the server: the secrets of application data; the returned function announces one of them (rfc8446#7.1). */
  applicationSecrets(): (direction: "read" | "write") => void {
    const { schedule } = this;
    schedule.advance();
    const transcript = this.transcript.digest();
    const both = { client: schedule.derive("clientApplication", transcript), server: schedule.derive("serverApplication", transcript) };
    this.#exporter = schedule.derive("exporter", transcript);
    this.#log("CLIENT_TRAFFIC_SECRET_0", both.client);
    this.#log("SERVER_TRAFFIC_SECRET_0", both.server);
    this.#log("EXPORTER_SECRET", this.#exporter);
    return (direction) => this.#announce("application", direction, both);
  }
  /** The Finished MAC of a side over everything so far (rfc8446#4.4.4). */
  finishedOf(side: Side): Uint8Array {
    return this.schedule.derivation.finished(known(this.#handshake)[side], this.transcript.digest());
  }
  exported(what: Exported): Uint8Array | undefined {
    return this.#exporter && exported(this.schedule.derivation, this.primitives, this.#exporter, what);
  }

  #announce(level: "handshake" | "application", direction: "read" | "write", both: Both): void {
    const isClient = (this.side === "client") === (direction === "write");
    this.emit({ is: "secret", level, direction, suite: this.suite, secret: isClient ? both.client : both.server });
  }
  #log(label: string, secret: Uint8Array): void {
    if (this.#logs) this.emit({ is: "keyLog", line: `${label} ${hex(this.clientRandom)} ${hex(secret)}` });
  }
}

const hex = (octets: Uint8Array): string => Buffer.from(octets).toString("hex");

function known<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Bug("this secret comes with a later state");
  return value;
}

function handle<Self extends { readonly row: Row<Self> }>(self: Self, raw: Raw): Fault | undefined {
  const name = messageOf(raw.type);
  if (name === undefined) return fault("messageUnknown");
  const cell = self.row[name];
  return typeof cell === "string" ? fault(cell) : cell(self, raw);
}
