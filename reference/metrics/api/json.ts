import { Writer } from "../../core/index.ts";
import type { Labels } from "../model/index.ts";
import { MOST_VALUE_OCTETS, putAscii, putValue } from "./number-octets.ts";

/**
 * Writes JSON as octets piece by piece. A large result is never one string, nor one string per row: collecting those would take longer than the
 * query.
 */
export class JsonWriter {
  /** For callers with a loop of their own over octets. */
  readonly writer = new Writer();

  /** The number of octets not yet taken. */
  get length(): number {
    return this.writer.length;
  }

  take(): Uint8Array<ArrayBuffer> {
    return this.writer.take();
  }

  /** Writes JSON that is all ASCII. */
  ascii(json: string): this {
    const at = this.writer.claim(json.length);
    putAscii(this.writer.octets, at, json);
    return this;
  }

  /** Writes a number in the format of `formatValue`, without quotes. */
  number(value: number): this {
    const at = this.writer.claim(MOST_VALUE_OCTETS);
    this.writer.settle(putValue(this.writer.octets, at, value));
    return this;
  }

  /** Writes any JSON value. */
  value(value: unknown): this {
    this.writer.bytes(ENCODER.encode(JSON.stringify(value)));
    return this;
  }

  /** Writes a quoted string. */
  text(text: string): this {
    const { writer } = this;
    const { length } = writer;
    const { length: size } = text;
    let at = writer.claim(size + 2);
    const { octets } = writer;
    octets[at++] = QUOTE;
    for (let index = 0; index < size; index++) {
      const code = text.charCodeAt(index);
      if (code < SPACE || code > TILDE || code === QUOTE || code === BACKSLASH) {
        writer.rewind(length);
        return this.value(text);
      }
      octets[at++] = code;
    }
    octets[at] = QUOTE;
    return this;
  }

  /** Writes labels as an object (Prometheus docs, querying/api.md, "Instant queries"). */
  labels({ flat }: Labels): this {
    this.ascii("{");
    for (let at = 0; at < flat.length; at += 2) {
      if (at > 0) this.ascii(",");
      this.text(flat[at] ?? "")
        .ascii(":")
        .text(flat[at + 1] ?? "");
    }
    return this.ascii("}");
  }
}

const ENCODER = new TextEncoder();
const [QUOTE, BACKSLASH, SPACE, TILDE] = [0x22, 0x5c, 0x20, 0x7e];

/** Writes something as JSON, a part such as a row at each step of the iteration. */
export type WriteJson = (out: JsonWriter) => Iterable<void>;
