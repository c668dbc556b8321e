import type { ReadField, ReadFrame } from "../../wire/http2/read.ts";
import type { Section } from "../../wire/http2/sections.ts";
import { join } from "../../wire/octets.ts";
import { type ReadResponse, readResponse } from "../../wire/rpc/contract.ts";
import { inflated, type ReadEnvelope, readEnvelopes } from "../../wire/rpc/envelopes.ts";

/** What has arrived of one call, as frames and sections. */
export class Answer {
  /** Sections in order; those with a status of 1xx are interim. */
  readonly sections: Section[] = [];
  readonly #data: Uint8Array[] = [];
  #lastFrame: "HEADERS" | "DATA" = "DATA";
  /** How many octets of DATA have come. */
  size = 0;
  #read: { readonly of: number; readonly messages: readonly ReadEnvelope[]; readonly left: number } | undefined;
  /** DATA came before the headers, or after the trailers. */
  isDisordered = false;
  /** END_STREAM came, and on what. */
  endedBy: "HEADERS" | "DATA" | undefined;
  /** The code of RST_STREAM. */
  reset: string | undefined;
  /** RST_STREAM came after END_STREAM. */
  isResetLate = false;

  /** The stream ended after the last frame. */
  finish(): void {
    this.endedBy ??= this.#lastFrame;
  }

  take(frame: ReadFrame, section: Section | undefined): void {
    if (frame.type === "DATA" || frame.type === "HEADERS") this.#lastFrame = frame.type;
    if (frame.type === "DATA") {
      if (this.head === undefined || this.trailers !== undefined) this.isDisordered = true;
      if (frame.data !== undefined && frame.data.length > 0) {
        this.#data.push(frame.data);
        this.size += frame.data.length;
      }
      if (frame.endStream === true) this.endedBy = "DATA";
    }
    if (section !== undefined && section.of === "HEADERS") {
      this.sections.push(section);
      if (section.endStream) this.endedBy = "HEADERS";
    }
    if (frame.type === "RST_STREAM") {
      this.reset ??= frame.code ?? "";
      this.isResetLate = this.endedBy !== undefined;
    }
  }

  /** The status of HTTP in a section. */
  static statusOf(section: Section): string | undefined {
    return section.fields.find(([name]) => name === ":status")?.[1];
  }
  get finals(): Section[] {
    return this.sections.filter((one) => !/^1\d\d$/.test(Answer.statusOf(one) ?? ""));
  }
  /** The first section that is not interim. */
  get head(): Section | undefined {
    return this.finals[0];
  }
  /** The section after the head. */
  get trailers(): Section | undefined {
    return this.finals[1];
  }
  get isTrailersOnly(): boolean {
    return this.finals.length === 1 && this.endedBy === "HEADERS";
  }
  /** The section with the status of the call. */
  get last(): Section | undefined {
    return this.isTrailersOnly ? this.head : this.trailers;
  }
  get isOver(): boolean {
    return this.endedBy !== undefined || this.reset !== undefined;
  }
  get octets(): Uint8Array {
    return join(this.#data);
  }
  /** The whole messages, and the number of octets after the last of them. */
  get messages(): { readonly messages: readonly ReadEnvelope[]; readonly left: number } {
    if (this.#read?.of !== this.#data.length) this.#read = { of: this.#data.length, ...readEnvelopes(this.octets) };
    return this.#read;
  }
}

/** The values of a field, joined; undefined without one. */
export function valueOf(fields: readonly ReadField[], name: string): string | undefined {
  const values = fields.filter(([one]) => one === name).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(",");
}

/** Replaces the braces in names of fields. */
type Text = { readonly text: (value: string) => string };

/** The status of a finished call; undefined without one. */
export function statusOf(answer: Answer, { text }: Text): number | undefined {
  if (answer.endedBy !== "HEADERS" || answer.last === undefined) return undefined;
  const value = valueOf(answer.last.fields, text("{rpc}-status"));
  return value !== undefined && /^[0-9]+$/.test(value) ? Number(value) : undefined;
}

/** The encoding of the messages of an answer. */
export const encodingOf = (answer: Answer, { text }: Text): string | undefined =>
  valueOf(answer.head?.fields ?? [], text("{rpc}-encoding"));

/** The messages of an answer without compression; undefined in the place of one that cannot be read. */
export const contentsOf = (answer: Answer, stage: Text): (Uint8Array | undefined)[] =>
  answer.messages.messages.map((one) => inflated(one, encodingOf(answer, stage)));

/** The responses of an answer; undefined in the place of one that cannot be read. */
export const responsesOf = (answer: Answer, stage: Text): (ReadResponse | undefined)[] =>
  contentsOf(answer, stage).map((octets) => (octets === undefined ? undefined : readResponse(octets)));

/** The decoded message of the status. */
export function messageOf(answer: Answer, { text }: Text): string {
  const value = valueOf(answer.last?.fields ?? [], text("{rpc}-message")) ?? "";
  const octets = value.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(octets, "latin1").toString();
}

/** The octets of Base64 with or without padding, as hex; undefined for anything else. */
export function binary(value: string): string | undefined {
  const bare = value.replace(/=+$/, "");
  return /^[0-9A-Za-z+/]*$/.test(bare) && bare.length % 4 !== 1 ? Buffer.from(bare, "base64").toString("hex") : undefined;
}
