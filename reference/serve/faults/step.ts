import type { Field } from "../../core/index.ts";

/** A frame on its way out, in octets but for its head; nothing has to be right about it. */
export type OutFrame = {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Uint8Array;
  /** What the head says, where that is not the length of the payload. */
  readonly length?: number;
};

export type Next = (frame: OutFrame) => void;

/** What a fault may do to its connection besides changing frames. */
export interface Line {
  /** Octets as they are, behind what has been written. */
  raw(bytes: Uint8Array): void;
  cut(how: "end" | "reset"): void;
  /** Later, unless the connection is gone by then. */
  after(ms: number, act: () => void): void;
  /** Octets that the client still allows on a stream whose response is only beginning, and on the connection. */
  readonly window: number;
  /** The fields of a block that the machine has written, and a block of such fields: any, also wrong ones. */
  fields(block: Uint8Array): readonly Field[];
  block(fields: readonly Field[]): Uint8Array;
}

/** Stands in the way of frames: hands on with `next` what shall leave, now or later, changed, more than once or never. */
export type Step = (frame: OutFrame, next: Next, line: Line) => void;

/** What the values of a fault's arguments may be: numbers within bounds, or one of some words. */
export type Argument =
  | { readonly default: number; readonly least: number; readonly most: number; readonly about: string }
  | { readonly default: string; readonly words: readonly string[]; readonly about: string };
export type Arguments = Readonly<Record<string, Argument>>;
export type Values<Of extends Arguments> = { readonly [Name in keyof Of]: Of[Name]["default"] extends number ? number : string };

/** One thing that can go wrong on purpose. */
export type Kind = {
  readonly name: string;
  /** What the peer does wrong. */
  readonly title: string;
  readonly args: Arguments;
  /** Whether it is about a response, and can be asked for by the request; else it is about the connection as a whole. */
  readonly of: "response" | "connection";
  /** A new step, with a memory of its own. */
  start(values: Readonly<Record<string, number | string>>): Step;
};

/** Keeps the types of a fault's arguments together while it is written down. */
export const kind = <Of extends Arguments>(
  of: Kind["of"],
  name: string,
  title: string,
  args: Of,
  start: (values: Values<Of>) => Step,
): Kind => ({ of, name, title, args, start: start as Kind["start"] });

/** How many frames of responses go by before the fault. */
export const AFTER = { default: 0, least: 0, most: 1_000_000, about: "frames of responses that leave before" } as const;
