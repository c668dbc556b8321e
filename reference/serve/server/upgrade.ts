import type { Field } from "../../core/index.ts";
import type { Switched } from "../handler.ts";
import type { UpgradedRequest } from "../message/upgrade.ts";
import type { StreamServerConnection } from "./connection.ts";

/** A connection that continues in another version. */
export type Upgraded = Switched & {
  /** The client's offer, as `offered` returned it. */
  readonly offer: Uint8Array;
  readonly request: UpgradedRequest;
};

/** How a server moves connections from HTTP/1.1 to another version; `goOn` makes the connection. */
export interface ServerUpgrade {
  /** The name in Upgrade (rfc9110#7.8). */
  readonly token: string;
  /** Reads the offer of a request; undefined when there is none, or when it breaks a rule and is ignored. */
  offered(upgrade: readonly string[], fields: readonly Field[]): Uint8Array | undefined;
  goOn(upgraded: Upgraded, id: number): StreamServerConnection;
}
