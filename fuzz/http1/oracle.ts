import { field, instant } from "../../reference/core/index.ts";
import { Connection, type Event, type Fault, type FaultName } from "../../reference/http1/index.ts";
import { octetsOf, textOf, type Piece } from "./grammar.ts";

/** What a server should make of a sequence, as the reference machine understands it. */
export type Expected = {
  /** Methods of the requests whose head is whole, in order: so many may be answered, and no more. */
  readonly methods: readonly string[];
  /** How many of them are whole: so many have to be answered, or the connection has to end. */
  readonly whole: number;
  /** The last whole request says that it is the last: the server closes behind its answer. */
  readonly closes: boolean;
  /** What breaks a rule, in which piece it came to light, and what every server owes then. */
  readonly refused?: { readonly fault: Fault; readonly at: number; readonly owes: "400" | "refusal" };
  /** The specification leaves room for another reading: only what no reading allows is a finding then. */
  readonly isOpen: boolean;
};

const T0 = instant(0);
const EMPTY = [field("Content-Length", "0")];

/** Rules whose breach has to be answered with 400 by every server (rfc9112), or must not be taken by any. */
const OWED: Partial<Readonly<Record<FaultName, "400" | "refusal">>> = {
  hostMissing: "400",
  hostRepeated: "400",
  hostInvalid: "400",
  spaceBeforeColon: "400",
  colonMissing: "refusal",
  fieldNameInvalid: "refusal",
  codingNotFinal: "400",
  contentLengthInvalid: "400",
  contentLengthRepeated: "400",
};
const KNOWN: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "OPTIONS"]);
/** The same of faults within content. */
const OWED_IN_CONTENT: typeof OWED = { chunkSizeInvalid: "refusal", chunkNotEnded: "refusal" };

/** The same length, given again, may be taken for one (rfc9112#6.3). */
function isOneLength(pieces: readonly Piece[]): boolean {
  const machine = new Connection({ side: "server", lenient: { repeatedLength: true } }, T0);
  return machine
    .receive(octetsOf(textOf(pieces)), T0)
    .every((event) => event.is !== "closed" || event.fault?.name !== "contentLengthRepeated");
}

/** Asks the reference machine, which answers each request as soon as it is whole. */
export function expected(pieces: readonly Piece[]): Expected {
  // Empty lines before a request should be read over, and need not (rfc9112#2.2).
  const machine = new Connection({ side: "server", limits: { emptyLines: 0 } }, T0);
  const methods: string[] = [];
  let whole = 0;
  let closes = false;
  let refused: Expected["refused"];
  let isOpen = false;
  const hear = (event: Event, at: number): void => {
    if (event.is === "request") {
      methods.push(event.method);
      // What a server says to a method that it does not know, and to an empty authority, is its own affair (rfc9110#9.1, rfc9112#3.3).
      if (!KNOWN.has(event.method) || event.fields.some(({ name, value }) => name === "host" && value === "")) isOpen = true;
    }
    if ((event.is === "closed" || event.is === "failed") && event.fault !== undefined && refused === undefined) {
      const owes = (event.is === "failed" ? OWED_IN_CONTENT : OWED)[event.fault.name];
      if (owes === undefined || (event.fault.name === "contentLengthRepeated" && isOneLength(pieces.slice(0, at + 1)))) isOpen = true;
      else refused = { fault: event.fault, at, owes };
    }
    if (event.is === "closed" && event.fault === undefined) closes = true;
    const isWhole = event.is === "trailers" || ((event.is === "data" || event.is === "request") && event.end);
    if (!isWhole) return;
    whole++;
    machine.respond(event.exchange, 404, EMPTY, true);
  };
  for (const [at, piece] of pieces.entries()) {
    // A later minor version should be read as ours, and need not (rfc9110#6.2).
    if (/ HTTP\/1\.[2-9]\r\n$/.test(piece.text)) isOpen = true;
    for (let events = machine.receive(octetsOf(piece.text), T0); events.length > 0; events = machine.events())
      for (const event of events) hear(event, at);
    machine.take();
  }
  return { methods, whole, closes, isOpen, ...(refused === undefined ? {} : { refused }) };
}
