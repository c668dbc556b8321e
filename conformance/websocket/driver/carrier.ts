import type { Values } from "../../wire/http1/build.ts";
import type { ReadResponse } from "../../wire/http1/read.ts";
import type { Ending } from "../../wire/sockets.ts";
import type { Handshake } from "../vocabulary.ts";

/** What carries a WebSocket: an HTTP/1.1 connection after an upgrade (rfc6455#4), or a stream of HTTP/2 (rfc8441#5) or HTTP/3 (rfc9220#3). */
export type CarrierName = "http1" | "http2" | "http3";

/** Rules of the carrier: support is announced before a WebSocket is requested (rfc8441#3), and streams end cleanly (rfc8441#5, rfc9220#3). */
export type CarrierRule = "announced" | "ended in order";

/** The response to a handshake, as far as all versions of HTTP share it. */
export type Answer = Pick<ReadResponse, "status" | "fields" | "complete">;

/** What a carrier reports. */
export type Listener = {
  /** Called with the head of a response; `shown` goes into the transcript unless it is there already. */
  readonly answered: (shown?: { readonly words: string; readonly octets: Uint8Array }) => void;
  /** Octets of the WebSocket. */
  readonly data: (octets: Uint8Array) => void;
  readonly ended: (how: "fin" | "reset", words: string) => void;
};

/** The transport of one WebSocket: a handshake in its own form, then octets in both directions, then an end, clean or not. */
export interface Carrier {
  readonly name: CarrierName;
  /** The status that opens the WebSocket. */
  readonly opens: 101 | 200;
  /** The final response to the handshake. */
  readonly answer: Answer | undefined;
  /** The violation of a rule of this carrier; undefined if there is none, or no such rule. */
  readonly broken: (rule: CarrierRule) => string | undefined;
  /** Builds the handshake in the form of this carrier, once the peer allows it. */
  handshake(handshake: Handshake, values: Values): Promise<{ readonly octets: Uint8Array; readonly words: string }>;
  /** The octets of a request of HTTP/1.1 with the fields that every request has. */
  request?(octets: Uint8Array): Uint8Array;
  /** Writes the octets of a handshake as they are. */
  begin(octets: Uint8Array): Promise<void>;
  /** Writes octets of the WebSocket; resolves when they have left, or when the peer does not read them. */
  write(octets: Uint8Array): Promise<void>;
  end(how: Ending): void;
  drop(): void;
}
