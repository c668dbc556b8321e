import type { VectorSource } from "../../write.ts";
import { type Action, type ConnectionVector, type Event, type Pairs, type Sent, type Step, GET, headers, status } from "./craft.ts";

/** Steps that many vectors of connections share. */

export type Row = VectorSource<ConnectionVector>["vectors"][number];
type What = readonly [note: string, spec: string, flag: string];
const of = (side: Row["side"], [note, spec, flag]: What, steps: readonly Step[], given?: Row["settings"]): Row => ({
  note,
  spec,
  side,
  ...(given !== undefined && { settings: given }),
  steps,
  result: steps.some(({ events = [] }) => events.some(isRefusal)) ? "invalid" : "valid",
  flags: [flag],
});
const isRefusal = (event: Event): boolean => ("closed" in event && event.closed !== null) || ("reset" in event && event.by === "us");
export const server = (what: What, steps: readonly Step[], given?: Row["settings"]): Row => of("server", what, steps, given);
export const client = (what: What, steps: readonly Step[], given?: Row["settings"]): Row => of("client", what, steps, given);

type Then = { readonly events?: readonly Event[]; readonly sends?: readonly Sent[] };
export const got = (receive: string, then: Then = {}): Step => ({ receive, ...then });
export const does = (action: Action, then: Then = {}): Step => ({ ...action, ...then });

/** A request that arrives, and its event. */
export const asked = (stream: number, fields: Pairs = GET, end = true): Step =>
  got(headers(stream, fields, end), { events: [{ request: stream, fields, end }] });
/** A request that a client sends. */
export const asks = (stream: number, fields: Pairs = GET, end = true): Step =>
  does({ do: "request", fields, end }, { sends: [{ HEADERS: stream, fields, end }] });
/** The head of a response: whether it also ends it. */
type Head = readonly [fields: Pairs, end: boolean];
export const responds = (stream: number, code: number, [fields, end]: Head, more: Then = {}): Step =>
  does({ do: "respond", stream, status: code, fields, end }, { ...more, sends: [{ HEADERS: stream, fields: status(code, ...fields), end }, ...(more.sends ?? [])] });
export const answered = (stream: number, code: number, [fields, end]: Head, more: readonly Event[] = []): Step =>
  got(headers(stream, status(code, ...fields), end), { events: [{ response: stream, status: code, fields, end }, ...more] });
/** A refusal of a stream. */
export const refused = (stream: number, code: string): Then => ({ events: [{ reset: stream, code, by: "us" }], sends: [{ RST_STREAM: stream, code }] });
/** The end of the connection for a mistake of the peer. */
export const ends = (last: number, code: string): Then => ({ events: [{ closed: code }], sends: [{ GOAWAY: last, code }] });

export const PUSHED: Pairs = [[":method", "GET"], [":scheme", "https"], [":authority", "a.example"], [":path", "/p"]];
export const FIELD: Pairs = [["x-a", "1"]];
/** A field whose entry in a table has this number of octets: name and value, and 32 (rfc7541#4.1). */
export const entry = (name: string, octets: number): Pairs => [[name, "v".repeat(octets - 32 - name.length)]];
export const LINK: Pairs = [["link", "</s>"]];
