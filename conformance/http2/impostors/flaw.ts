import type { TlsOptions } from "node:tls";
import type { Flaw } from "./peer.ts";

/** The flaws of a server beyond its frames. */
export type ServerFlaw = Flaw & {
  readonly closesAtOnce?: true;
  readonly answersReset?: true;
  /** Sends DATA after the end of a response. */
  readonly restless?: true;
  readonly pushesAnyway?: true;
  readonly tls?: TlsOptions;
};
