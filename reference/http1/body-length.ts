import type { Content } from "./content.ts";
import { Progress } from "./field-lines.ts";
import type { Inbox } from "./inbox.ts";

/** Content of so many octets (rfc9112#6.2). Making one for nothing is not allowed: content without octets is none. */
export class LengthBody {
  /** Octets still to come. */
  left: number;

  constructor(length: number) {
    this.left = length;
  }

  read(inbox: Inbox, to: Content): Progress {
    const { octets, at, end } = inbox;
    const count = Math.min(this.left, end - at);
    if (count === 0) return Progress.wait;
    this.left -= count;
    inbox.at = at + count;
    to.content(count === octets.length ? octets : octets.subarray(at, at + count), this.left === 0);
    return this.left === 0 ? Progress.done : Progress.wait;
  }
}
