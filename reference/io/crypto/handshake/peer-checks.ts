import { expect } from "vitest";
import type { Met, PeerEvent } from "./peer.ts";
import { all, faultOf, find, hex } from "./testing.ts";

const secretsOfPeer = (events: readonly PeerEvent[]): readonly string[] =>
  events
    .filter(({ is }) => is === "secret")
    .map(({ level, direction, octets }) => `${level} ${direction === "read" ? "write" : "read"} ${octets}`)
    .sort();

/** Both ends completed, with the same secrets. */
export function expectComplete({ ours, theirs, alert }: Met): void {
  expect([faultOf(ours), alert]).toEqual([undefined, undefined]);
  expect(find(ours, "complete")).toBeDefined();
  expect(theirs.some(({ is }) => is === "complete")).toBe(true);
  const secrets = all(ours, "secret").map(({ level, direction, secret }) => `${level} ${direction} ${hex(secret)}`);
  expect(secrets.sort()).toEqual(secretsOfPeer(theirs));
  expect(Buffer.from(find(ours, "parameters")!.octets).toString()).toBe("their parameters");
}
