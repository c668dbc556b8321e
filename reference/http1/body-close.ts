import type { Content } from "./content.ts";
import { Progress } from "./field-lines.ts";
import type { Inbox } from "./inbox.ts";

/** Content of a response that ends with the connection (rfc9112#6.3, its last rule): whoever sees that end ends it. */
export class CloseBody {
  readonly left = Number.POSITIVE_INFINITY;

  read(inbox: Inbox, to: Content): Progress {
    const { octets, at, end } = inbox;
    if (at === end) return Progress.wait;
    inbox.at = end;
    to.content(end - at === octets.length ? octets : octets.subarray(at, end), false);
    return Progress.wait;
  }
}
