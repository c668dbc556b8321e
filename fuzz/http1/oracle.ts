import { field, instant } from "../../reference/core/index.ts";
import { Connection, type Event, type Fault, type FaultName } from "../../reference/http1/index.ts";
import type { Rule } from "../lib/rules.ts";
import { octetsOf, textOf, type Piece } from "./grammar.ts";

/** What a server must do with a sequence, as the reference reads it. */
export type Expected = {
  /** Methods of the requests with a complete head, in order: the peer may answer at most these. */
  readonly methods: readonly string[];
  /** How many of them are complete: the peer must answer these or close the connection. */
  readonly whole: number;
  /** The last complete request asks to close: the server closes after its answer. */
  readonly closes: boolean;
  /** The mistake, the index of the piece that shows it, and the requirement about it. */
  readonly refused?: { readonly fault: Fault; readonly at: number; readonly rule: Rule["ref"] };
  /** The specification allows another reading, so that only behaviour that no reading allows is a finding. */
  readonly isOpen: boolean;
};

const T0 = instant(0);
const EMPTY = [field("Content-Length", "0")];

/** The requirements about mistakes that a server should not accept. Some are a MUST, some only follow from the grammar (rfc9110#2.4). */
const RULES: Partial<Readonly<Record<FaultName, Rule["ref"]>>> = {
  hostMissing: "rfc9112#3.2/host-missing",
  hostRepeated: "rfc9112#3.2/host-twice",
  hostInvalid: "rfc9112#3.2/host-invalid",
  spaceBeforeColon: "rfc9112#5.1/space-before-colon",
  colonMissing: "rfc9112#2.2/no-match",
  fieldNameInvalid: "rfc9110#5.1/token",
  codingNotFinal: "rfc9112#6.3/request-coding-not-chunked",
  contentLengthInvalid: "rfc9112#6.3/invalid-length-request",
  contentLengthRepeated: "rfc9112#6.3/invalid-length-request",
};
const KNOWN: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "OPTIONS"]);
/** The same about mistakes within content. */
const RULES_OF_CONTENT: typeof RULES = { chunkSizeInvalid: "rfc9112#7.1/grammar", chunkNotEnded: "rfc9112#7.1/grammar" };

/** Whether the repeated lengths are equal: a server may treat them as one (rfc9112#6.3). */
function isOneLength(pieces: readonly Piece[]): boolean {
  const machine = new Connection({ side: "server", lenient: { repeatedLength: true } }, T0);
  return machine
    .receive(octetsOf(textOf(pieces)), T0)
    .every((event) => event.is !== "closed" || event.fault?.name !== "contentLengthRepeated");
}

/** Feeds the sequence to the reference, which answers each request once it is complete. */
export function expected(pieces: readonly Piece[]): Expected {
  // A server should skip empty lines before a request, but need not (rfc9112#2.2).
  const machine = new Connection({ side: "server", limits: { emptyLines: 0 } }, T0);
  const methods: string[] = [];
  let whole = 0;
  let closes = false;
  let refused: Expected["refused"];
  let isOpen = false;
  const hear = (event: Event, at: number): void => {
    if (event.is === "request") {
      methods.push(event.method);
      // The answer to an unknown method or an empty authority is up to the server (rfc9110#9.1, rfc9112#3.3).
      if (!KNOWN.has(event.method) || event.fields.some(({ name, value }) => name === "host" && value === "")) isOpen = true;
    }
    if ((event.is === "closed" || event.is === "failed") && event.fault !== undefined && refused === undefined) {
      const rule = (event.is === "failed" ? RULES_OF_CONTENT : RULES)[event.fault.name];
      if (rule === undefined || (event.fault.name === "contentLengthRepeated" && isOneLength(pieces.slice(0, at + 1)))) isOpen = true;
      else refused = { fault: event.fault, at, rule };
    }
    if (event.is === "closed" && event.fault === undefined) closes = true;
    const isWhole = event.is === "trailers" || ((event.is === "data" || event.is === "request") && event.end);
    if (!isWhole) return;
    whole++;
    machine.respond(event.exchange, 404, EMPTY, true);
  };
  for (const [at, piece] of pieces.entries()) {
    // A server should read a later minor version as its own, but need not (rfc9110#6.2).
    if (/ HTTP\/1\.[2-9]\r\n$/.test(piece.text)) isOpen = true;
    for (let events = machine.receive(octetsOf(piece.text), T0); events.length > 0; events = machine.events())
      for (const event of events) hear(event, at);
    machine.take();
  }
  return { methods, whole, closes, isOpen, ...(refused === undefined ? {} : { refused }) };
}
