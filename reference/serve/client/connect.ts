import type { HttpVersion } from "../../http/index.ts";
import { checkOptions } from "../options/check.ts";
import { CONNECT_OPTIONS } from "../options/known.ts";
import type { AnnouncedSettings } from "./connection.ts";
import { Dialler, placeOf } from "./dial.ts";
import type { ClientResponse } from "./exchange.ts";
import type { ConnectOptions } from "./options.ts";
import type { ClientRequest } from "./request.ts";

/** One connection to a server. */
export type Client = AsyncDisposable & {
  /** The version it speaks. */
  readonly version: HttpVersion;
  /** Sends a request; resolves when the head of the final response arrives. In HTTP/1.1 requests wait for one another. */
  request(request?: ClientRequest): Promise<ClientResponse>;
  /** Sends a PING; resolves to the round trip in milliseconds (rfc9113#6.7). Rejected in HTTP/1.1. */
  ping(): Promise<number>;
  /** Whether further requests may be sent: false once either side has begun to close. */
  readonly accepting: boolean;
  /** The settings that the server announced last (rfc9113#6.5.2, rfc9114#7.2.4.1); undefined in HTTP/1.1. */
  readonly settings: AnnouncedSettings | undefined;
  /** Resolves when the connection is closed, for any reason. */
  readonly closed: Promise<void>;
  /** Completes requests in progress, and drops the rest after `graceMs`. */
  close(): Promise<void>;
};

/** Opens one connection to one server; `createClient` keeps connections to many. Speaks any version of HTTP by default. */
export async function connect(url: string | URL, options: ConnectOptions = {}): Promise<Client> {
  checkOptions("connect", options, CONNECT_OPTIONS);
  const first = await new Dialler(options).open(placeOf(url));
  const current = () => first.successor ?? first;
  const closed = first.closed.then(() => first.successor?.closed);
  const close = (): Promise<void> => current().close(options.graceMs ?? 5_000);
  return {
    get version() {
      return current().version;
    },
    request: (request = {}) => current().request(request),
    ping: () => current().ping(),
    get accepting() {
      return current().accepting;
    },
    get settings() {
      return current().settings;
    },
    closed,
    close,
    [Symbol.asyncDispose]: close,
  };
}
