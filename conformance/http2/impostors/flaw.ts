import type { TlsOptions } from "node:tls";
import type { Flaw } from "./peer.ts";

/** The flaws of a server beyond its frames. */
export type ServerFlaw = Flaw & {
  readonly closesAtOnce?: true;
  readonly answersReset?: true;
  /** Sends DATA after the end of a response. */
  readonly restless?: true;
  readonly pushesAnyway?: true;
  /** Octets of its page, instead of a small one. */
  readonly pageOctets?: number;
  /** Octets of an additional field in its responses. */
  readonly fieldOctets?: number;
  /** Sends GOAWAY with the third request of a connection, and answers all later ones too. */
  readonly retires?: true;
  /** Answers CONNECT a second time, when the client ends the tunnel. */
  readonly answersTunnels?: true;
  /** Answers a request with a cookie with one of its Cookie fields. */
  readonly echoes?: "first" | "last";
  readonly tls?: TlsOptions;
};
