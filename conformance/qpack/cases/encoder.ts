import type { VectorField } from "../../../vectors/load.ts";
import type { RequirementRef } from "../../harness/case.ts";
import type { SpecRef } from "../../../reference/core/index.ts";
import type { Case, Event, Property, Step } from "../vocabulary.ts";

/** What cases for encoders share. */

export const send = (stream: number, ...fields: VectorField[]): Event => ({ send: fields, stream });
export const ARRIVE: Event = { arrive: "everything" };
export const INSTRUCTIONS: Event = { arrive: "instructions" };
export const ONE_WAY: Event = { arrive: "one way" };

/** Fields that are in no table at first. */
export const X: VectorField = ["x-name", "one value"];
export const Y: VectorField = ["y-name", "another value"];
export const request = (path: string, more: readonly VectorField[] = []): VectorField[] => [
  [":method", "GET"],
  [":scheme", "https"],
  [":authority", "www.example.com"],
  [":path", path],
  ["user-agent", "touchstone"],
  ["x-session", "0123456789abcdef"],
  ...more,
];

/** An encoder whose peer permits a table of 220 octets and 4 blocked streams, where nothing else is said. */
export const encode = (events: readonly Event[], { capacity = 220, blocked = 4 } = {}): Step[] => [
  { do: "qpack-encode", capacity, blocked, events },
];
/** The control: a list that every encoder can make. */
const simple = encode([send(0, [":method", "GET"], [":path", "/"])]);

type Row = {
  readonly id: `qpack/encoder-${string}`;
  readonly title: string;
  readonly covers: readonly [RequirementRef, ...RequirementRef[]];
  readonly property: Property;
  readonly events: readonly Event[];
  readonly capacity?: number;
  readonly blocked?: number;
  readonly level?: Case["level"];
  readonly needs?: readonly string[];
};
export const keeps = ({ id, title, covers, property, events, capacity, blocked, level = "MUST", needs = [] }: Row): Case => ({
  id,
  title,
  spec: covers[0].slice(0, covers[0].indexOf("/")) as SpecRef,
  covers,
  level,
  role: "codec",
  needs: ["encode", ...needs],
  steps: encode(events, { ...(capacity === undefined ? {} : { capacity }), ...(blocked === undefined ? {} : { blocked }) }),
  control: simple,
  allowed: [{ see: { see: "keeps", property } }],
});

/** The code of a connection error on the decoder stream (rfc9204#8.3). */
const DECODER_STREAM_ERROR = 0x202;
type Refusal = Pick<Row, "id" | "title" | "covers"> & { readonly events: readonly Event[]; readonly legal: readonly Event[] };
/** An encoder that must refuse the last event; `legal` are the same events without the mistake. */
export const refuses = ({ id, title, covers, events, legal }: Refusal): Case => ({
  id,
  title,
  spec: covers[0].slice(0, covers[0].indexOf("/")) as SpecRef,
  covers,
  level: "MUST",
  role: "codec",
  needs: ["encode"],
  steps: encode(events),
  control: encode(legal),
  allowed: [{ see: { see: "refused answers", code: DECODER_STREAM_ERROR } }],
});
