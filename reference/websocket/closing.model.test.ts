import fc from "fast-check";
import { expect, test } from "vitest";
import { Connection } from "./connection.ts";
import type { Event } from "./contract.ts";
import { join, keys, T0 } from "./testing.ts";
import { instant } from "../core/index.ts";

/**
 * The closing handshake of two ends, against a small model: whatever each end does, and whenever octets arrive, both end once, and agree on
 * whether the ending was clean.
 */
type Step = "client sends" | "server sends" | "client closes" | "server closes" | "to server" | "to client" | "client aborts" | "time";
const step = fc.constantFrom<Step>("client sends", "server sends", "client closes", "server closes", "to server", "to client", "time");
const rare = fc.oneof({ weight: 20, arbitrary: step }, { weight: 1, arbitrary: fc.constant<Step>("client aborts") });

class Model {
  readonly ends = { client: new Connection({ side: "client", random: keys() }, T0), server: new Connection({ side: "server" }, T0) };
  readonly events = { client: [] as Event[], server: [] as Event[] };
  readonly closed = { client: false, server: false };
  now = 0;
  /** The messages sent and received; nothing after a Close may be received. */
  readonly wrong: string[] = [];
  readonly sent = { client: 0, server: 0 };

  isOver(side: "client" | "server"): boolean {
    return this.events[side].some(({ is }) => is === "closed");
  }
  receives(side: "client" | "server", events: readonly Event[]): void {
    this.events[side].push(...events);
  }
  send(side: "client" | "server"): void {
    if (this.closed[side] || this.isOver(side)) return;
    const isSent = this.ends[side].text("a");
    if (isSent) this.sent[side]++;
    if (isSent === this.events[side].some(({ is }) => is === "closing")) this.wrong.push(`${side}: text() returned ${isSent}`);
  }
  close(side: "client" | "server"): void {
    this.ends[side].close(1_000);
    this.closed[side] = true;
  }
  pass(from: "client" | "server"): void {
    const to = from === "client" ? "server" : "client";
    const octets = join(this.ends[from].take());
    if (octets.length > 0) this.receives(to, this.ends[to].receive(octets, instant(this.now)));
    this.receives(to, this.ends[to].events());
    // An end that is over ends its transport once all is written.
    if (this.isOver(from)) this.receives(to, this.ends[to].ended(instant(this.now)));
  }
  settle(): void {
    if (!this.closed.client) this.close("client");
    for (let i = 0; i < 4; i++) {
      this.pass("client");
      this.pass("server");
    }
  }
}

test("two ends: both end once and agree, whatever they do and in whatever order octets arrive", () => {
  fc.assert(
    fc.property(fc.array(rare, { maxLength: 25 }), (steps) => {
      const m = new Model();
      for (const what of steps) {
        const [side, does] = what.split(" ") as ["client" | "server", string];
        if (what === "time") m.now += 100;
        else if (what === "to server") m.pass("client");
        else if (what === "to client") m.pass("server");
        else if (does === "sends") m.send(side);
        else if (does === "closes") m.close(side);
        else {
          m.ends.client.abort();
          m.receives("client", m.ends.client.events());
        }
      }
      const wasAborted = m.events.client.some((event) => event.is === "closed" && !event.clean);
      m.settle();
      expect(m.wrong).toEqual([]);
      for (const side of ["client", "server"] as const) {
        const events = m.events[side];
        expect(events.filter(({ is }) => is === "closed")).toHaveLength(1);
        expect(events.at(-1)).toMatchObject({
          is: "closed",
          clean: !wasAborted || (side === "server" && events.some(({ is }) => is === "closing")),
        });
        const other = side === "client" ? "server" : "client";
        const heard = events.filter(({ is }) => is === "message").length;
        // What was sent before the Close has arrived, unless the transport broke earlier.
        expect(wasAborted ? Math.min(heard, m.sent[other]) : m.sent[other]).toBe(heard);
      }
    }),
    { numRuns: 500 },
  );
});
