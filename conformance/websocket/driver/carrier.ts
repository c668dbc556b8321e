import type { Values } from "../../wire/http1.ts";
import type { ReadResponse } from "../../wire/http1-read.ts";
import type { Ending } from "../../wire/sockets.ts";
import type { Handshake } from "../vocabulary.ts";

/** What carries a WebSocket: a connection of HTTP/1.1 after its upgrade (rfc6455#4), a stream of HTTP/2 (rfc8441#5). */
export type CarrierName = "http1" | "http2";

/** That a WebSocket may be asked for is announced before (rfc8441#3); that its end is told as one in order (rfc8441#5). */
export type CarrierRule = "announced" | "ended in order";

/** An answer to a handshake, as far as every version of HTTP has it. */
export type Answer = Pick<ReadResponse, "status" | "fields" | "complete">;

/** Who is told what comes. */
export type Listener = {
  /** The head of an answer has come; `words` and `octets` are for the transcript, where they are not written already. */
  readonly answered: (shown?: { readonly words: string; readonly octets: Uint8Array }) => void;
  /** Octets of the WebSocket. */
  readonly data: (octets: Uint8Array) => void;
  readonly ended: (how: "fin" | "reset", words: string) => void;
};

/** The transport under one WebSocket: a handshake in its own form, then octets both ways, then an end that is in order or not. */
export interface Carrier {
  readonly name: CarrierName;
  /** The status that opens the WebSocket. */
  readonly opens: 101 | 200;
  /** The final answer to the handshake. */
  readonly answer: Answer | undefined;
  /** What broke a rule of the transport itself; undefined where it was kept, or where there is no such rule. */
  readonly broken: (rule: CarrierRule) => string | undefined;
  /** The handshake as this transport writes it, once the peer lets us. */
  handshake(handshake: Handshake, values: Values): Promise<{ readonly octets: Uint8Array; readonly words: string }>;
  /** Writes octets of a handshake as they are. */
  begin(octets: Uint8Array): Promise<void>;
  /** Writes octets of the WebSocket; resolves when they have left, or when the peer does not take them. */
  write(octets: Uint8Array): Promise<void>;
  end(how: Ending): void;
  drop(): void;
}
