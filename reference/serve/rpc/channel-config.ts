import { Misuse } from "../../core/index.ts";
import { type LoadBalancing, readServiceConfig, RetryTokens, type ServiceConfig } from "../../rpc/index.ts";
import { ConnectFailed } from "../errors.ts";

/** What a service config says of connections. */
export type LinesConfig = {
  readonly loadBalancing: LoadBalancing;
  /** The most connections to one address. */
  readonly most: number;
  /** The service whose health the servers are asked for. */
  readonly healthService?: string | undefined;
};
/** What a service config says of calls. */
export type CallsConfig = { readonly config: ServiceConfig; readonly tokens: RetryTokens | undefined };

/** The service config of a channel: the given one, or that which the owner of its name publishes (A2, A21). */
export class ChannelConfig {
  readonly #given: ServiceConfig;
  readonly #most: number;
  /** Resolves to the published config; undefined if there is none. */
  readonly #lookUp: (() => Promise<unknown>) | undefined;
  /** The published config in use, as text; undefined if it is the given one. */
  #published: string | undefined;
  /** Undefined until the first look-up has ended well. */
  calls: CallsConfig | undefined;
  lines: LinesConfig;

  /** @param most The most connections to one address, whatever a config says. */
  constructor(given: ServiceConfig, most: number, lookUp: (() => Promise<unknown>) | undefined) {
    this.#given = given;
    this.#most = most;
    this.#lookUp = lookUp;
    this.lines = this.#linesOf(given);
    if (lookUp === undefined) this.calls = callsOf(given);
  }

  /**
   * Looks the config up, with the addresses. An invalid one is refused as a whole: the one before it stays, and without one before it this
   * rejects, as for a name without addresses (A21#behavior-on-receiving-a-new-grpc-config). No answer is the same as no config.
   */
  async renew(): Promise<void> {
    if (this.#lookUp === undefined) return;
    try {
      const json = await this.#lookUp();
      this.#take(json === undefined ? undefined : JSON.stringify(json));
    } catch (error) {
      if (this.calls !== undefined) return;
      if (error instanceof Misuse) throw new ConnectFailed("unreachable", `the published ${error.message}`, error);
      this.#take(undefined);
    }
  }
  #take(published: string | undefined): void {
    if (this.calls !== undefined && published === this.#published) return;
    const config = published === undefined ? this.#given : readServiceConfig(JSON.parse(published), "ignore");
    this.#published = published;
    this.calls = callsOf(config);
    this.lines = this.#linesOf(config);
  }
  #linesOf({ loadBalancing, maxConnectionsPerSubchannel, healthService }: ServiceConfig): LinesConfig {
    return { loadBalancing, most: Math.min(maxConnectionsPerSubchannel, this.#most), healthService };
  }
}

const callsOf = (config: ServiceConfig): CallsConfig => ({
  config,
  tokens: config.retryThrottling === undefined ? undefined : new RetryTokens(config.retryThrottling),
});
