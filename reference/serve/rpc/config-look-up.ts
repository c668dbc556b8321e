import { hostname as systemHostname } from "node:os";
import { textsOf } from "../../io/index.ts";
import { chooseServiceConfig, DIALECTS, type DialectName } from "../../rpc/index.ts";
import { ConnectFailed } from "../errors.ts";

export type ConfigLookUp = {
  /** Whose records are read: `_rpc_config.NAME` by default, `_grpc_config.NAME` for `grpc`. */
  readonly dialect?: DialectName;
  /** Servers of names as `address:port`; the system's by default. */
  readonly servers?: readonly string[];
  /** Which client this is; what the system says by default. */
  readonly hostname?: string;
  /** From 0 to 99: a choice for N percent is for the clients below N. Random by default. */
  readonly percentile?: number;
};

/**
 * The service config that the owner of a name publishes for this client in DNS, as JSON; undefined if there is none (A2). For the option
 * `serviceConfig` of a channel, with `unknownConfigFields: "ignore"`. Rejects with `Misuse` if it is invalid: keep the one before, if there is one,
 * else try later (A21). Rejects with `ConnectFailed` if no server of names answers.
 */
export async function lookUpServiceConfig(
  name: string,
  { dialect = "rpc", servers, hostname = systemHostname(), percentile = Math.floor(Math.random() * 100) }: ConfigLookUp = {},
): Promise<unknown> {
  const { config } = DIALECTS[dialect];
  const asked = `_${config}.${name}`;
  let records: readonly string[];
  try {
    records = await textsOf(asked, servers);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "error";
    throw new ConnectFailed("unreachable", `the TXT records of ${asked} could not be read (${code})`, cause);
  }
  return chooseServiceConfig(records, config, { language: "node", hostname, percentile });
}
