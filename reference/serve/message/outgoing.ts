import { field, Misuse, type Field } from "../../core/index.ts";
import { Fields, type Content, type FieldsInit, type Response } from "../../http/index.ts";

/** What a message of ours consists of on its way to the machine: field lists, and content in octets. */

/** Pairs as the machine wants them: names in lower case. */
export function fieldList(pairs: FieldsInit | undefined): Field[] {
  if (pairs === undefined) return [];
  if (pairs instanceof Fields) return [...pairs.list];
  const list: Field[] = [];
  for (const [name, value] of pairs) list.push(field(name.toLowerCase(), value));
  return list;
}

/** What has content-length, and what has a date, already. */
export const has = (list: readonly Field[], name: string): boolean => list.some((line) => line.name === name);

let dateAt = 0;
let dateField: Field = field("date", "");
/** The current date, to the second, as every response of an origin with a clock carries it (rfc9110#6.6.1). */
export function dateLine(): Field {
  const now = Date.now();
  if (now - dateAt >= 1_000 || now < dateAt) {
    dateAt = now - (now % 1_000);
    dateField = field("date", new Date(now).toUTCString());
  }
  return dateField;
}

/** Content that is there at once, as octets; undefined where it is yet to come. */
export function octetsOf(content: string | Uint8Array | AsyncIterable<unknown>): Uint8Array | undefined {
  if (typeof content === "string") return Buffer.from(content);
  return content instanceof Uint8Array ? content : undefined;
}

/** The fields after the content; a function is asked now. */
export const trailerList = (trailers: NonNullable<Response["trailers"]>): Field[] =>
  fieldList(typeof trailers === "function" ? trailers() : trailers);

/** Where content goes: a stream, as far as it lets itself be written to. */
export interface Sink {
  /** False when it is time to wait for `room`. */
  write(bytes: Uint8Array): boolean;
  /** Resolves when there is room again, or when the stream is over. */
  room(): Promise<void>;
  readonly isOver: boolean;
  /** Called once when the stream ends before its time. */
  onOver: (() => void) | undefined;
}

/** Sends content as it becomes available; false when the stream was over before its end. Whatever the iteration throws is thrown on. */
export async function pump(content: Exclude<Content, string | Uint8Array>, sink: Sink): Promise<boolean> {
  const iterator = content[Symbol.asyncIterator]();
  // A generator that waits for something hears of the end no later than it asks for more.
  // What its leaving throws then is of no exchange any more.
  sink.onOver = () => void Promise.resolve(iterator.return?.()).catch(() => {});
  for (;;) {
    const { done, value } = await iterator.next();
    if (sink.isOver) return false;
    if (done === true) break;
    const bytes = typeof value === "string" ? Buffer.from(value) : value;
    if (!(bytes instanceof Uint8Array)) throw new Misuse("content consists of strings and Uint8Array: encode what it yields");
    if (!sink.write(bytes)) await sink.room();
    if (sink.isOver) return false;
  }
  sink.onOver = undefined;
  return true;
}
