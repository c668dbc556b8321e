import { lacking, type RequestField } from "../request-fields.ts";
import type { FieldSpec, FrameSpec } from "./frame-spec.ts";

/**
 * Which frame of a client gets the fields that every request has: the one that ends the first field block of its stream, so that they follow all
 * fields of the case. A block that has a field of the same name keeps its own; one without any field stays empty.
 */
export class RequestHeads {
  readonly #fields: readonly RequestField[];
  readonly #begun = new Set<unknown>();
  /** What the block that has begun lacks. */
  #open: RequestField[] | undefined;
  #isEmpty = true;

  constructor(fields: readonly RequestField[]) {
    this.#fields = fields;
  }

  /** The fields to add to this frame. They are never to be indexed (rfc7541#7.1.3): they may be secret. */
  more(spec: FrameSpec): FieldSpec[] {
    if (this.#fields.length === 0) return [];
    const { type, stream, fields = [], flags = [], block = "" } = spec;
    if (type === "HEADERS") {
      this.#open = this.#begun.has(stream) ? undefined : [...this.#fields];
      this.#begun.add(stream);
      this.#isEmpty = true;
    } else if (type !== "CONTINUATION") return [];
    if (this.#open === undefined) return [];
    this.#open = lacking(fields, this.#open);
    this.#isEmpty &&= fields.length === 0 && block === "";
    const isLast = typeof flags === "number" ? (flags & 0x4) !== 0 : flags.includes("END_HEADERS");
    if (!isLast) return [];
    const added = this.#open;
    this.#open = undefined;
    if (this.#isEmpty) return [];
    return added.map(([name, value]) => [name, value, "never indexed"]);
  }
}
