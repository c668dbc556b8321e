import type { ReadRequest, ReadResponse } from "../../wire/http1/read.ts";
import { Upgraded } from "./upgraded.ts";

/** What can be observed of one connection to a server, or to the front of a proxy. */
export type Conversation = {
  /** Final responses with a complete head, in order. After an upgrade to HTTP/2, the response on stream 1 is the last. */
  readonly responses: readonly ReadResponse[];
  /** Interim responses whose final response has not arrived yet. */
  readonly interim: readonly ReadResponse[];
  /** Octets that are not part of any response. */
  readonly garbage: readonly { readonly octets: Uint8Array; readonly after: number }[];
  /** Octets after a response that opened a tunnel. */
  readonly tunnel: Uint8Array;
  readonly upgraded: Upgraded | undefined;
  /** How the subject ended its half. */
  readonly ended: "fin" | "reset" | undefined;
  /** We ended ours before. */
  readonly endedByUs: boolean;
  /** The requests among the octets that we sent, as a lenient reader parses them. */
  readonly sent: readonly ReadRequest[];
};
