import type { Values } from "../../wire/http1/build.ts";
import type { ReadRequest } from "../../wire/http1/read.ts";
import type { Ending } from "../../wire/sockets.ts";
import type { Handshake } from "../vocabulary.ts";
import type { Answer, Carrier } from "./carrier.ts";

/** What a carrier reports of the client. */
export type ServedListener = {
  /** Its handshake, or a part of it; `shown` goes into the transcript unless it is there already. */
  readonly asked: (shown?: { readonly words: string; readonly octets: Uint8Array }) => void;
  /** Octets after the handshake. */
  readonly data: (octets: Uint8Array) => void;
  readonly ended: (how: "fin" | "reset", words: string) => void;
  /** The client speaks another version of HTTP than the carrier, which this one replaces. */
  readonly becomes: (carrier: ServedCarrier) => void;
};

/** Our end of what carries a WebSocket that a client opens: a connection that 101 switches, or a stream that 200 opens. */
export interface ServedCarrier extends Pick<Carrier, "name" | "opens" | "broken"> {
  /** The client's handshake, once it is complete. Over HTTP/2 its pseudo-fields are among the fields. */
  readonly request: ReadRequest | undefined;
  /** Our response, as a lenient reader sees it. */
  readonly response: Answer | undefined;
  /** The octets after a response that opens the WebSocket. */
  readonly behind: Uint8Array;
  /** Builds a response in the form of this carrier. */
  build(handshake: Handshake, values: Values): { readonly octets: Uint8Array; readonly words: string };
  /** Writes octets of a response as they are. */
  begin(octets: Uint8Array): Promise<void>;
  /** Notes octets of a response that were written. */
  answered(octets: Uint8Array): void;
  /** Writes octets of the WebSocket. */
  write(octets: Uint8Array): Promise<void>;
  /** Ends our half in order, after what was written. */
  leave(): void;
  end(how: Ending): void;
  drop(): void;
}
