import type { VectorField } from "../../vectors/load.ts";
import type { DecodeQuestion, Sight as DecodeSight } from "../../vectors/qpack/question.ts";
import type { Case as AnyCase, Outcome as AnyOutcome } from "../harness/case.ts";

/**
 * What a QPACK case can ask and observe. The subject is a codec: a child process that reads one JSON request per line and answers with one
 * line each (`vectors/README.md`). Cases are plain data; `driver/` performs them.
 */

/** What happens between an encoder and its decoder. */
export type Event =
  /** The encoder gets a list of fields to send on a stream. */
  | { readonly send: readonly VectorField[]; readonly stream: number }
  /** The instructions sent so far arrive, with or without the sections, and what the decoder says comes back. */
  | { readonly arrive: "instructions" | "everything" }
  /** As `arrive`, but what the decoder says stays on its way until the next arrival. */
  | { readonly arrive: "one way" }
  /** The decoder gives a stream up: sections that have not arrived are lost. */
  | { readonly cancel: number }
  /** Octets of the decoder stream that break a rule, or that mean nothing. */
  | { readonly answers: string };

export type Step =
  /** `{"op":"qpack-decode","capacity":…,"blocked":…,"steps":[…]}` */
  | ({ readonly do: "qpack-decode" } & Omit<DecodeQuestion, "op">)
  /** `{"op":"qpack-encode","capacity":…,"blocked":…,"steps":[…]}`, one request for each list, with all that came before. */
  | { readonly do: "qpack-encode"; readonly capacity: number; readonly blocked: number; readonly events: readonly Event[] };
export type EncodeStep = Extract<Step, { do: "qpack-encode" }>;

/**
 * Properties of an encoder. With each, its sections decode to the given fields.
 * - `round trip`: nothing more.
 * - `within capacity`: no capacity above the maximum is set, and without a table no instruction is sent.
 * - `evicts evictable`: no entry goes that is not acknowledged, or that a section without acknowledgment refers to.
 * - `risks permitted`: never are more streams at risk than permitted.
 * - `lowest count`: each section requires exactly what it refers to.
 * - `never indexed`: every sensitive field is a literal with the N bit, and no table gets it.
 */
export type Property = "round trip" | "within capacity" | "evicts evictable" | "risks permitted" | "lowest count" | "never indexed";

export type Sight =
  | DecodeSight
  /** The encoder keeps this property. */
  | { readonly see: "keeps"; readonly property: Property }
  /** The encoder refuses what the decoder stream says. */
  | { readonly see: "refused answers"; readonly code: number };

/** Sights of a subject that refuses. */
export const REFUSALS = ["refused", "refused answers"] as const satisfies readonly Sight["see"][];

export type Outcome = AnyOutcome<Sight>;
export type Case = AnyCase<Step, Sight>;
