import type { Instant } from "../../core/index.ts";
import type { LoadReport } from "./load-report.ts";

/** How loads become weights (A58#lb-policy-config-and-parameters). */
export type WeightConfig = {
  /** Reports come on streams of their own, this often; undefined if they come at the end of calls. */
  readonly outOfBandMs: number | undefined;
  /** How long an address reports before its weight counts. */
  readonly blackoutMs: number;
  /** How long the last report counts. */
  readonly expirationMs: number;
  /** The time between two calculations. */
  readonly updateMs: number;
  /** By how much errors make an address appear busier. */
  readonly errorPenalty: number;
};

/** The weight that an address reports, while it counts (A58#subchannel-weights). */
export class ReportedWeight {
  #weight = 0;
  #updatedAt: Instant | undefined;
  /** The first report after a connection, or after reports had expired. */
  #since: Instant | undefined;

  /** A report without calls or without utilization says nothing. */
  report(
    { cpuUtilization, applicationUtilization, rpsFractional: rate, eps }: LoadReport,
    { errorPenalty }: WeightConfig,
    now: Instant,
  ): void {
    const utilization = applicationUtilization > 0 ? applicationUtilization : cpuUtilization;
    if (!(utilization > 0 && rate > 0)) return;
    const weight = rate / (utilization + (eps / rate) * errorPenalty);
    if (!(weight > 0 && Number.isFinite(weight))) return;
    this.#weight = weight;
    this.#since ??= now;
    this.#updatedAt = now;
  }
  /** There is a new connection. */
  connected(): void {
    this.#since = undefined;
  }
  /** 0 if there is none that counts. */
  at(now: Instant, { blackoutMs, expirationMs }: WeightConfig): number {
    if (this.#updatedAt === undefined) return 0;
    if (now - this.#updatedAt >= expirationMs) {
      this.#updatedAt = undefined;
      this.#since = undefined;
      return 0;
    }
    return blackoutMs > 0 && (this.#since === undefined || now - this.#since < blackoutMs) ? 0 : this.#weight;
  }
  /** Whether time alone may change the weight. */
  get isKnown(): boolean {
    return this.#updatedAt !== undefined;
  }
}
