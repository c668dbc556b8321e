import { fromLatin1, join, toLatin1 } from "../octets.ts";
import type { RequestField } from "../request-fields.ts";
import { RequestReader } from "./read.ts";

const HOST = /(?<=\n)host[ \t]*:/i;
const EMPTY_LINE = /(?<=\n)\r?\n$/;

/** The fields that a head, or the part of it that is known, does not have itself. */
const lacking = (head: string, fields: readonly RequestField[]): readonly RequestField[] =>
  fields.filter(([name]) => !new RegExp(`\\n${RegExp.escape(name)}[ \\t]*:`, "i").test(head));

/**
 * Adds fields to the requests on one connection, before they are written. A head gets them in front of its Host line: that is no continuation
 * of another line, whatever mistake the case makes elsewhere; a head without Host gets them in front of its empty line. A head that has a field of
 * the same name keeps its own. What looks like a request inside content, or in a tunnel, stays as it is.
 */
export class Inserter {
  readonly #fields: readonly RequestField[];
  readonly #reader = new RequestReader();
  /** Where the heads begin that have the fields, or can get them no more. */
  readonly #served = new Set<number>();

  constructor(fields: readonly RequestField[]) {
    this.#fields = fields;
  }

  /** The octets to write in place of these. */
  insert(octets: Uint8Array): Uint8Array {
    if (this.#fields.length === 0) return octets;
    const written = this.#reader.length;
    const known = this.#reader.requests.length;
    this.#reader.push(octets);
    const all = this.#reader.octets;
    const heads = this.#reader.requests.slice(known).map(({ from, headEnd }) => [from, headEnd] as const);
    const { pending } = this.#reader;
    if (pending.length > 0) heads.push([all.length - pending.length, all.length]);
    const parts: Uint8Array[] = [];
    let at = written;
    for (const [from, to] of heads) {
      const head = toLatin1(all.subarray(from, to));
      const place = this.#served.has(from) ? undefined : placeIn(head, written - from);
      if (place === undefined) continue;
      this.#served.add(from);
      const lines = lacking(head, this.#fields).map(([name, value]) => `${name}: ${value}\r\n`);
      parts.push(all.slice(at, from + place), fromLatin1(lines.join("")));
      at = from + place;
    }
    return join([...parts, all.slice(at)]);
  }
}

/** Where a head gets the fields: a position from `least` on, before which nothing was written. */
function placeIn(head: string, least: number): number | undefined {
  const places = [HOST.exec(head)?.index, EMPTY_LINE.exec(head)?.index];
  return places.find((place) => place !== undefined && place >= least);
}
