import { field, Misuse, type Field } from "../../core/index.ts";
import { Fields, type Content, type FieldsInit, type Response } from "../../http/index.ts";

/** Prepares messages for the machine: field lists, and content in octets. */

/** Pairs as fields with names in lower case. */
export function fieldList(pairs: FieldsInit | undefined): Field[] {
  if (pairs === undefined) return [];
  if (pairs instanceof Fields) return [...pairs.list];
  const list: Field[] = [];
  for (const [name, value] of pairs) list.push(field(name.toLowerCase(), value));
  return list;
}

/** Whether the list has a field. */
export const has = (list: readonly Field[], name: string): boolean => list.some((line) => line.name === name);

let dateAt = 0;
let dateField: Field = field("date", "");
/** The current Date, to the second; an origin with a clock sends it in every response (rfc9110#6.6.1). */
export function dateLine(): Field {
  const now = Date.now();
  if (now - dateAt >= 1_000 || now < dateAt) {
    dateAt = now - (now % 1_000);
    dateField = field("date", new Date(now).toUTCString());
  }
  return dateField;
}

type Iteration = Exclude<Content, string | Uint8Array>;
/** Whether content is still to come. */
export const isIteration = (content: Content | undefined): content is Iteration =>
  content !== undefined && typeof content !== "string" && !(content instanceof Uint8Array);
/** Available content as octets. */
export const octetsOf = (content: string | Uint8Array): Uint8Array => (typeof content === "string" ? Buffer.from(content) : content);

/** The fields after the content; a function is called now. */
export const trailerList = (trailers: NonNullable<Response["trailers"]>): Field[] =>
  fieldList(typeof trailers === "function" ? trailers() : trailers);

/** Where content goes: the writable side of a stream. */
export interface Sink {
  /** False if the caller should wait for `room`. */
  write(bytes: Uint8Array): boolean;
  /** Resolves when there is room again, or when the stream has ended. */
  room(): Promise<void>;
  readonly isOver: boolean;
  /** Called once if the stream ends early. */
  onOver: (() => void) | undefined;
}

/** Sends content as it becomes available; false if the stream ended first. Errors of the iteration propagate. */
export async function pump(content: Iteration, sink: Sink): Promise<boolean> {
  const iterator = content[Symbol.asyncIterator]();
  // Ends a generator that waits. An error while it ends belongs to no exchange.
  sink.onOver = () => void Promise.resolve(iterator.return?.()).catch(() => {});
  for (;;) {
    const { done, value } = await iterator.next();
    if (sink.isOver) return false;
    if (done === true) break;
    const bytes = typeof value === "string" ? Buffer.from(value) : value;
    if (!(bytes instanceof Uint8Array)) throw new Misuse("content must yield strings or Uint8Array: encode other values");
    if (!sink.write(bytes)) await sink.room();
    if (sink.isOver) return false;
  }
  sink.onOver = undefined;
  return true;
}
