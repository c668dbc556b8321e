import { Writer } from "../../core/index.ts";
import type { Labels } from "../model/index.ts";
import { MOST_VALUE_OCTETS, putAscii, putValue } from "./number-octets.ts";

/**
 * JSON on its way out as octets, written bit by bit: a large result is never one text, nor a text a row, which would keep the collector busy longer
 * than the query took.
 */
export class JsonWriter {
  /** For who has a loop of its own over octets. */
  readonly writer = new Writer();

  /** Octets that wait to be taken. */
  get length(): number {
    return this.writer.length;
  }

  take(): Uint8Array<ArrayBuffer> {
    return this.writer.take();
  }

  /** JSON whose characters are all ASCII. */
  ascii(json: string): this {
    const at = this.writer.claim(json.length);
    putAscii(this.writer.octets, at, json);
    return this;
  }

  /** A number as `formatValue` writes it, without quotes. */
  number(value: number): this {
    const at = this.writer.claim(MOST_VALUE_OCTETS);
    this.writer.settle(putValue(this.writer.octets, at, value));
    return this;
  }

  /** Anything that can be JSON. */
  value(value: unknown): this {
    this.writer.bytes(ENCODER.encode(JSON.stringify(value)));
    return this;
  }

  /** A text in quotes. */
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

  /** An object of names and values (Prometheus docs, querying/api.md, "Instant queries"). */
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

/** Something that is written as JSON: each step of the iteration writes some of it, such as a row. */
export type WriteJson = (out: JsonWriter) => Iterable<void>;
