import { Stage } from "../../harness/connection/stage.ts";
import type { RawEnd } from "../../wire/quic/end.ts";
import type { Observed } from "../../wire/quic/observed.ts";
import type { Level, Sight } from "../vocabulary.ts";
import { monitor } from "./monitors.ts";
import type { Seen, Shown } from "./shown.ts";
import { isSeen, type View } from "./sights.ts";

/** What one performance of a case works on. */
export abstract class QuicStage extends Stage<Sight> {
  seen: Seen[] = [];
  /** Everything, whatever was forgotten. */
  readonly all: Seen[] = [];
  /** What came on the connection whose session is resumed. */
  before: readonly Observed[] = [];
  fenceAnswered = false;
  /** The last packet that a step sent. */
  last: { readonly level: Level; readonly number: number } | undefined;
  acknowledges = true;
  skip: string | undefined;

  abstract get isConnected(): boolean;
  /** Our end of the connection. */
  abstract get end(): RawEnd;

  protected observe(shown: Shown): void {
    const one = { ...shown, at: this.recorder.now };
    this.seen.push(one);
    this.all.push(one);
    this.poke();
  }

  /** The subject has ended the connection, or our TLS has. */
  get over(): boolean {
    return this.all.some(({ is }) => is === "closed" || is === "stateless reset" || is === "failed" || is === "exit");
  }
  get view(): View {
    return {
      seen: this.seen,
      all: this.all,
      fenced: this.fenceAnswered,
      isAcknowledged: this.last !== undefined && this.end.hasAcknowledged(this.last.level, this.last.number),
      isOver: this.over,
      monitor: (name) => monitor(name, { seen: this.all, before: this.before, end: this.end }),
    };
  }
  sees(sight: Sight): boolean {
    return isSeen(sight, this.view);
  }
}
