import type { Body, ContentSink } from "./content.ts";
import type { Exchange } from "./exchange.ts";
import { Progress } from "./field-lines.ts";
import type { Inbox } from "./inbox.ts";

/** Response content that ends with the connection (rfc9112#6.3, its last rule). */
export class CloseBody implements Body {
  readonly exchange: Exchange;
  readonly left = Number.POSITIVE_INFINITY;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
  }

  read(inbox: Inbox, to: ContentSink): Progress {
    const { octets, at, end } = inbox;
    if (at === end) return Progress.wait;
    inbox.at = end;
    to.content(this.exchange, end - at === octets.length ? octets : octets.subarray(at, end), false);
    return Progress.wait;
  }
}
