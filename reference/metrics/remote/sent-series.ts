import type { Labels } from "../model/index.ts";
import { MessageWriter } from "./message-writer.ts";
import type { WriteMessage } from "./write-request.ts";

/** A text of protocol 2: a field of the request, and its number in the request that last had it. */
export type SentText = { readonly text: string; readonly field: Uint8Array; request: number; ref: number; isForgotten: boolean };

/** A series as it is sent. Two samples belong to one series if this is the same object. The members that change are those of the writer of requests. */
export type SentSeries = {
  readonly metric: string;
  /** Protocol 1: the labels as fields of the message; empty in protocol 2. */
  readonly fields: Uint8Array;
  /** Protocol 2: names and values in turn; empty in protocol 1. */
  readonly texts: readonly SentText[];
  /** The request that last had the series, and its last sample in it. */
  request: number;
  last: number;
  kinds: number;
};

/** The field of a symbol in a request of protocol 2 (Prometheus specs, prw/remote_write_spec_2_0.md, "Protobuf Message"). */
const SYMBOL = 4;

/**
 * Prepares series for one writer of requests: what does not change from request to request is written once. Labels are sorted by the octets of their
 * names (Prometheus specs, prw/remote_write_spec.md, "Labels").
 */
export class SentForms {
  readonly #isFirst: boolean;
  readonly #writer = new MessageWriter();
  /** Protocol 2: all texts of the series, which share them. */
  readonly #texts = new Map<string, SentText>();

  constructor(message: WriteMessage) {
    this.#isFirst = message === "prometheus.WriteRequest";
  }

  of(labels: Labels): SentSeries {
    const fields = this.#isFirst ? this.#fieldsOf(labels) : NONE;
    const texts = this.#isFirst ? [] : this.textsOf(labels.flat);
    return { metric: labels.metric, fields, texts, request: 0, last: 0, kinds: 0 };
  }

  /** The texts of a list, those of equal content once. */
  textsOf(all: readonly string[]): SentText[] {
    return all.map((text) => {
      const known = this.known(text);
      if (!this.#texts.has(text)) this.#texts.set(text, known);
      return known;
    });
  }

  /** The text that the series share; one that is not kept, if none has it. */
  known(text: string): SentText {
    return this.#texts.get(text) ?? { text, field: this.#fieldOf(text), request: 0, ref: 0, isForgotten: false };
  }

  /** Forgets the texts that none of these series has. Samples that wait may still have one. */
  keep(series: Iterable<SentSeries>): void {
    if (this.#isFirst) return;
    const used = new Set<SentText>();
    for (const { texts } of series) for (const one of texts) used.add(one);
    for (const [text, one] of this.#texts) {
      if (used.has(one)) continue;
      one.isForgotten = true;
      this.#texts.delete(text);
    }
  }

  #fieldsOf(labels: Labels): Uint8Array {
    const to = this.#writer;
    to.clear();
    for (const [name, value] of labels) labelOf(to, name, value);
    return to.content.slice();
  }

  #fieldOf(text: string): Uint8Array {
    const to = this.#writer;
    to.clear();
    to.text(SYMBOL, text);
    return to.content.slice();
  }
}

const NONE = new Uint8Array(0);

/** A label as a field of protocol 1. */
export function labelOf(to: MessageWriter, name: string, value: string): void {
  const start = to.begin(1);
  to.text(1, name);
  to.text(2, value);
  to.end(start);
}
