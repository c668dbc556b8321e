import { instant } from "../../reference/core/index.ts";
import { Connection, type Fault, type Settings } from "../../reference/http3/index.ts";
import { FakeTransport } from "../../reference/http3/testing.ts";
import type { Rule } from "../lib/rules.ts";
import { deliveriesOf } from "./deliveries.ts";
import type { Piece } from "./grammar.ts";
import { PAYLOAD_TOO_SHORT, ruleOf } from "./rules.ts";

/** What a server must do with a sequence: continue, or end the connection. `unsure` if servers may differ. */
export type Expected =
  | { readonly is: "fine" }
  | { readonly is: "refused"; readonly fault: Fault; readonly by: Piece; readonly rule: Rule["ref"] }
  | { readonly is: "unsure" };

const T0 = instant(0);
/** Errors that depend on limits, and rules of extensions that a server need not support. */
const OPTIONAL = /^(?:flood|frameTooLarge|repliesNotRead|priorityUpdate|sectionTooCostly)/;
/** Faults that depend on what the server has answered: it may have inserted entries, or have ended a stream. */
const DEPENDS_ON_ANSWERS = new Set<Fault["name"]>(["decoderStreamWrong"]);

/** The values in the server's SETTINGS that change what is legal. */
export type Announced = Partial<Settings>;

/**
 * Feeds the sequence to the reference, which answers no request. A server may read streams in another order, so that a sequence is legal only if
 * nothing of it is wrong, and whatever is wrong on one stream has to end the connection.
 */
export function expected(pieces: readonly Piece[], announced: Announced = {}): Expected {
  const transport = new FakeTransport("server");
  const machine = new Connection({ side: "server", transport, settings: announced }, T0);
  machine.receive({ is: "established" }, T0);
  const streams = new Map<string, number>();
  const next = { bidirectional: 0, unidirectional: 2 };
  let isUnsure = false;
  // What was sent before a reset may never be read (rfc9000#3.2).
  const abandoned = new Set(pieces.filter(({ reset }) => reset !== undefined).map(({ on }) => on));
  for (const { piece, stream: name, direction, octets } of deliveriesOf(pieces)) {
    let stream = streams.get(name);
    if (stream === undefined) {
      stream = next[direction];
      next[direction] += 4;
      streams.set(name, stream);
      machine.receive({ is: "opened", stream }, T0);
    }
    const arrival =
      piece.reset === undefined
        ? ({ is: "data", octets, end: piece.end === true } as const)
        : ({ is: "reset", code: piece.reset } as const);
    for (const event of machine.receive({ ...arrival, stream }, T0)) {
      // A stream error may also be an error response, or end the connection (rfc9114#8).
      if (event.is === "reset" && event.by === "us") isUnsure = true;
      if (event.is !== "closed") continue;
      const { fault } = event;
      if (fault === undefined || OPTIONAL.test(fault.name) || (DEPENDS_ON_ANSWERS.has(fault.name) && !isIncrementOf0(octets)))
        return { is: "unsure" };
      // After a stream error a server may read nothing more of that stream.
      return isUnsure || abandoned.has(name) ? { is: "unsure" } : { is: "refused", fault, by: piece, rule: ruleIn(fault, piece) };
    }
  }
  return isUnsure || transport.log.some((line) => /^(?:reset|stop)/.test(line) && !line.includes("H3_STREAM_CREATION_ERROR"))
    ? { is: "unsure" }
    : { is: "fine" };
}

/** An increment of 0 is wrong whatever was inserted (rfc9204#4.4.3). */
const isIncrementOf0 = (octets: Uint8Array): boolean => octets.at(-1) === 0;

/** A payload that is too short for its fields, or a frame that its stream does not finish. */
const ruleIn = (fault: Fault, { end }: Piece): Rule["ref"] => (fault.name === "frameTruncated" && !end ? PAYLOAD_TOO_SHORT : ruleOf(fault));
