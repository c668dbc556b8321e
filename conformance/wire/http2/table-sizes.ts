import type { FrameSpec } from "./frame-spec.ts";
import { DEFAULTS, FLAGS } from "./numbers.ts";

/**
 * The size of our dynamic table. After we acknowledge a smaller HEADER_TABLE_SIZE, our next field block must begin with a size update
 * (rfc9113#4.3.1).
 */
export class TableSizes {
  #size: number = DEFAULTS.tableSize;
  #isOwed = false;
  /** The smallest value of each SETTINGS frame that we have not acknowledged. */
  readonly #pending: number[] = [];

  /** The peer has sent SETTINGS. */
  announced(settings: readonly (readonly [string | number, number])[]): void {
    const sizes = settings.filter(([name]) => name === "HEADER_TABLE_SIZE").map(([, value]) => value);
    this.#pending.push(Math.min(...sizes, Number.POSITIVE_INFINITY));
  }
  /** Passes a frame of ours. One that begins a field block gets the size update that is owed, unless it states its own, perhaps none. */
  signal(spec: FrameSpec): FrameSpec {
    if (spec.type === "SETTINGS" && isAck(spec)) this.#acknowledge();
    if (!this.#isOwed || (spec.type !== "HEADERS" && spec.type !== "PUSH_PROMISE")) return spec;
    this.#isOwed = false;
    return spec.tableSize === undefined ? { ...spec, tableSize: [this.#size] } : spec;
  }
  /** We acknowledge the oldest of its SETTINGS. */
  #acknowledge(): void {
    const size = this.#pending.shift();
    if (size === undefined || size >= this.#size) return;
    this.#size = size;
    this.#isOwed = true;
  }
}

const isAck = ({ flags = [] }: FrameSpec): boolean => (typeof flags === "number" ? (flags & FLAGS.ACK) !== 0 : flags.includes("ACK"));
