import { describe, expect, test } from "vitest";
import { instant } from "../../core/index.ts";
import { Hub } from "./hub.ts";
import { Witness } from "./testing.ts";

const ask = (hub: Hub, role: "agent" | "client", id: string, query: string) => hub.admit(role, id, new URLSearchParams(query));
const T0 = instant(0);

describe("Hub", () => {
  test.each([
    ["agent", "..", "run=r", 404],
    ["agent", "a".repeat(65), "run=r", 404],
    ["client", "a%2Fb", "client=c", 404],
    ["client", "main", "client=c", 404],
    ["agent", "main", "", 400],
    ["agent", "main", "run=a/b", 400],
    ["client", "main", "", 400],
    ["client", "main", "client=c&from=-1", 400],
    ["client", "main", "client=c&from=99999999999999999", 400],
    ["client", "main", "client=c&from=9007199254740993", 400],
  ] as const)("%s at %s?%s: %s", (role, id, query, status) => {
    expect(ask(new Hub(), role, id, query)).toMatchObject({ status });
  });

  test("admits sessions up to the limit, and again once one is over", () => {
    const hub = new Hub({ sessions: 2, goneMs: 1_000 });
    for (const id of ["a", "b"]) {
      const found = ask(hub, "agent", id, "run=r");
      if ("enter" in found) found.enter(new Witness(), T0).closed(T0);
    }
    expect(hub.size).toBe(2);
    expect(ask(hub, "agent", "c", "run=r")).toMatchObject({ status: 503 });
    expect(ask(hub, "agent", "a", "run=r")).toHaveProperty("enter");
    expect(hub.deadline).toBe(1_000);
    hub.tick(instant(1_000));
    expect(ask(hub, "agent", "c", "run=r")).toHaveProperty("enter");
  });

  test("of two agents admitted at the same time, closes the second with 1013", () => {
    const hub = new Hub();
    const both = [ask(hub, "agent", "main", "run=r1"), ask(hub, "agent", "main", "run=r2")];
    const seen = both.map((found) => {
      const witness = new Witness();
      if ("enter" in found) found.enter(witness, T0);
      return witness.closed?.code;
    });
    expect(seen).toEqual([undefined, 1013]);
  });

  test("admits clients up to the limit; one of them may reconnect", () => {
    const hub = new Hub({ clients: 1 });
    const agent = ask(hub, "agent", "main", "run=r");
    if ("enter" in agent) agent.enter(new Witness(), T0);
    const first = ask(hub, "client", "main", "client=a");
    const second = ask(hub, "client", "main", "client=b");
    if ("enter" in first) first.enter(new Witness(), T0);
    expect(ask(hub, "client", "main", "client=b")).toMatchObject({ status: 503 });
    expect(ask(hub, "client", "main", "client=a")).toHaveProperty("enter");
    const late = new Witness();
    if ("enter" in second) second.enter(late, T0);
    expect(late.closed?.code).toBe(1013);
    expect(hub.session("main")?.clients.size).toBe(1);
  });

  test("a client whose session ends between its request and its connection: closed with 1013", () => {
    const hub = new Hub({ goneMs: 1_000 });
    const agent = ask(hub, "agent", "main", "run=r");
    if ("enter" in agent) agent.enter(new Witness(), T0).closed(T0);
    const client = ask(hub, "client", "main", "client=a");
    hub.tick(instant(1_000));
    const late = new Witness();
    if ("enter" in client) client.enter(late, instant(1_000));
    expect(late.closed).toEqual({ code: 1013, reason: "there is no such session" });
  });
});
