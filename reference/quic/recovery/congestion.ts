import type { Instant } from "../../core/index.ts";

/** A packet that was acknowledged. */
export type Acknowledgment = {
  readonly octets: number;
  readonly sentAt: Instant;
  /** The window, and not the application, held the sender up (rfc9002#7.8). */
  readonly isLimited: boolean;
  readonly now: Instant;
  readonly rttMs: number;
};

/** How much may be in flight (rfc9002#7). */
export interface Congestion {
  /** The size of datagrams, which windows are counted in. */
  datagram: number;
  readonly window: number;
  readonly isSlowStart: boolean;
  acknowledged(packet: Acknowledgment): void;
  /** A packet sent at `sentAt` was lost, or marked by the network (rfc9002#7.3.2). */
  congested(sentAt: Instant, now: Instant): void;
  /** Nothing arrived for so long that the window says nothing any more (rfc9002#7.6.2). */
  persistent(): void;
}
