import type { Field } from "../../core/index.ts";

/** A request of HTTP/1.1 that the connection's next version answers (rfc7540#3.2). */
export type UpgradedRequest = {
  readonly method: string;
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly fields: readonly Field[];
};
