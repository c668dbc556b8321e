import type { Field } from "../core/index.ts";
import type { Exchange } from "./exchange.ts";
import type { Progress } from "./field-lines.ts";
import type { Inbox } from "./inbox.ts";

/** Where a body puts the content that it reads. The message ends once: with `end`, perhaps on an empty piece, or with `trailers`. */
export interface ContentSink {
  content(exchange: Exchange, bytes: Uint8Array, end: boolean): void;
  trailers(exchange: Exchange, fields: readonly Field[]): void;
}

/** The content of one message, while it arrives. */
export interface Body {
  readonly exchange: Exchange;
  /** Octets still to come; infinite if unknown. */
  readonly left: number;
  /** Reads as far as the inbox goes. */
  read(inbox: Inbox, to: ContentSink): Progress;
}
