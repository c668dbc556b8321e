import { describe, expect, test } from "vitest";
import { instant } from "../../core/index.ts";
import type { NewScreen, Screen } from "./drawing.ts";
import { Hub } from "./hub.ts";
import type { ChannelLimits } from "./limits.ts";
import { writeControl, type Control } from "./protocol.ts";
import type { Sizing } from "./terminals.ts";
import { octets, text, Witness, World } from "./testing.ts";

/** Heartbeats, the owner of a terminal and its size, another shell, and the screen: what keeps a session useful over a bad line. */

const T0 = instant(0);
const OFFER = writeControl({ type: "offer", from: 0, end: 0, input: 0, cols: 80, rows: 24 });

function session({ limits = {}, ...terminals }: { limits?: Partial<ChannelLimits>; sizing?: Sizing; screen?: NewScreen } = {}) {
  const hub = new Hub({ askMs: 1_000, deadMs: 2_000, ...limits }, terminals);
  const enter = (role: "agent" | "client" | "watcher", query: string, now = T0) => {
    const found = hub.admit(role, "main", new URLSearchParams(query));
    if ("status" in found) throw new Error(`${found.status} ${found.why}`);
    const seen = new Witness();
    const member = found.enter(seen, now);
    return { seen, member, say: (message: Control, at = now) => member.text(writeControl(message), at) };
  };
  const agent = enter("agent", "run=r1");
  agent.member.text(OFFER, T0);
  return { hub, agent, enter, client: (id: string, more = "") => enter("client", `client=${id}${more}`) };
}

describe("the heartbeat of a hub", () => {
  test.each(["agent", "client"] as const)("a silent %s: asked after a while, then dropped with 4003", (who) => {
    const { hub, agent, client } = session();
    const other = client("c");
    const { seen, say } = who === "agent" ? agent : other;
    expect(hub.deadline).toBe(1_000);
    hub.tick(instant(1_000));
    const ping = seen.last("ping");
    expect(ping).toBeDefined();
    say({ type: "pong", id: ping!.id }, instant(1_500));
    hub.tick(instant(2_499));
    expect(seen.control.filter(({ type }) => type === "ping")).toHaveLength(1);
    hub.tick(instant(2_500));
    hub.tick(instant(4_499));
    expect(seen.closed).toBeUndefined();
    hub.tick(instant(4_500));
    expect(seen.last("error")?.code).toBe("silent");
    expect(seen.closed?.code).toBe(4003);
    expect(hub.session("main")?.agent).toBe("gone");
  });

  test("a ping of either: answered with the same id", () => {
    const { agent, client } = session();
    const c = client("c");
    for (const { say, seen } of [agent, c]) {
      say({ type: "ping", id: 77 });
      expect(seen.last("pong")).toEqual({ type: "pong", id: 77 });
    }
  });

  test("an agent that never offers: pongs do not keep its place", () => {
    const hub = new Hub({ askMs: 1_000, deadMs: 2_000 });
    const found = hub.admit("agent", "main", new URLSearchParams("run=r1"));
    if ("status" in found) throw new Error(found.why);
    const seen = new Witness();
    const member = found.enter(seen, T0);
    hub.tick(instant(1_000));
    member.text(writeControl({ type: "pong", id: 1 }), instant(1_100));
    hub.tick(instant(3_000));
    expect(seen.closed?.code).toBe(4003);
  });
});

describe("the heartbeat of a client and an agent", () => {
  test("an idle line: asks, and an answer keeps it alive; without an answer it is dead within 9 seconds", () => {
    const world = new World();
    const [agent, client] = [world.agent(), world.client("a")];
    agent.connect(world.now);
    world.settle();
    client.connect(world.now);
    world.settle();
    for (let second = 0; second < 60; second++) {
      world.later(1_000);
      expect(client.side.beat(world.now)).toBe(false);
      expect(agent.side.beat(world.now)).toBe(false);
      world.settle();
    }
    let seconds = 0;
    do world.later(1_000);
    while (++seconds < 100 && !client.side.beat(world.now));
    expect(seconds).toBeLessThanOrEqual(9);
    while (++seconds < 100 && !agent.side.beat(world.now)) world.later(1_000);
    expect(seconds).toBeLessThanOrEqual(20);
  });

  test("a timer that slept: the first beat asks, and ends nothing", () => {
    const world = new World();
    const [agent, client] = [world.agent(), world.client("a")];
    agent.connect(world.now);
    world.settle();
    client.connect(world.now);
    world.settle();
    world.now = instant(600_000);
    expect(client.side.beat(world.now)).toBe(false);
    world.settle();
    world.now = instant(601_000);
    expect(client.side.beat(world.now)).toBe(false);
  });
});

describe("the owner of a terminal", () => {
  const owners = (...all: { seen: Witness }[]) => all.map(({ seen }) => seen.last("state")?.owner);

  test("the first client that types; when it leaves, the next", () => {
    const { enter, client } = session();
    const w = enter("watcher", "client=w");
    const [a, b] = [client("a"), client("b")];
    expect(owners(w, a, b)).toEqual([false, true, false]);
    a.member.closed(T0);
    expect(owners(w, b)).toEqual([false, true]);
  });

  test("the client that asks for it, but no watcher", () => {
    const { enter, client } = session();
    const [w, a, b] = [enter("watcher", "client=w"), client("a"), client("b")];
    b.say({ type: "own" });
    expect(owners(a, b)).toEqual([false, true]);
    w.say({ type: "own" });
    expect(w.seen.last("error")?.code).toBe("read-only");
  });

  test("an owner that reconnects before its old connection ends stays the owner, and its typing is reported", () => {
    const { agent, client } = session();
    const [a, b] = [client("a"), client("b")];
    const again = client("a");
    expect(a.seen.closed?.code).toBe(4000);
    expect(owners(again, b)).toEqual([true, false]);
    again.member.binary(octets("x"), T0);
    agent.say({ type: "ack", offset: 1 });
    expect(again.seen.last("ack")?.offset).toBe(1);
  });
});

describe("the size of a terminal", () => {
  const steps = (sizing?: Sizing) => {
    const { agent, client } = session(sizing === undefined ? {} : { sizing });
    const [a, b] = [client("a"), client("b")];
    const sizes: string[] = [];
    const note = (): void => {
      const { cols, rows } = agent.seen.last("resize") ?? { cols: 0, rows: 0 };
      sizes.push(`${cols}x${rows}`);
    };
    a.say({ type: "resize", cols: 100, rows: 30 });
    note();
    b.say({ type: "resize", cols: 60, rows: 40 });
    note();
    a.say({ type: "resize", cols: 120, rows: 35 });
    note();
    a.member.closed(T0);
    note();
    return sizes;
  };
  test("by default the owner's, and the next owner's when it leaves", () =>
    expect(steps()).toEqual(["100x30", "100x30", "120x35", "60x40"]));
  test("`smallest`: fits into every client", () => expect(steps("smallest")).toEqual(["100x30", "60x30", "60x35", "60x40"]));
  test("`last`: the newest wish", () => expect(steps("last")).toEqual(["100x30", "60x40", "120x35", "120x35"]));
});

describe("another shell", () => {
  test("asked for once, by a client that types, after an exit that allows it", () => {
    const { hub, agent, enter, client } = session({ limits: { askMs: 1e9 } });
    const [a, w] = [client("a"), enter("watcher", "client=w")];
    a.say({ type: "start" });
    expect(agent.seen.last("start")).toBeUndefined();
    agent.say({ type: "exit", code: 0, signal: null, again: true });
    expect(a.seen.last("exit")).toMatchObject({ again: true });
    expect([a.seen.closed, agent.seen.closed]).toEqual([undefined, undefined]);
    for (let i = 0; i < 3; i++) a.say({ type: "start" });
    expect(agent.seen.control.filter(({ type }) => type === "start")).toHaveLength(1);
    w.say({ type: "start" });
    expect(w.seen.closed?.code).toBe(1008);
    // With its agent there, the session does not end.
    hub.tick(instant(10_000_000));
    expect(hub.size).toBe(1);
    agent.member.closed(T0);
    const next = enter("agent", "run=r2");
    next.member.text(OFFER, T0);
    expect(a.seen.closed?.code).toBe(4002);
    expect(client("a").seen.last("state")).toMatchObject({ run: "r2", agent: "here" });
  });

  test("an agent that waits to start one may reconnect; the session stays exited", () => {
    const { agent, enter, client } = session();
    agent.say({ type: "exit", code: 0, signal: null, again: true });
    agent.member.closed(T0);
    const back = enter("agent", "run=r1");
    back.member.text(OFFER, T0);
    const c = client("c");
    expect(c.seen.last("state")?.agent).toBe("exited");
    c.say({ type: "start" });
    expect(back.seen.last("start")).toBeDefined();
  });

  test("asked for while no agent has offered: passed on after the offer, and not to another run", () => {
    const { agent, enter, client } = session();
    const c = client("c");
    agent.say({ type: "exit", code: 0, signal: null, again: true });
    agent.member.closed(T0);
    const back = enter("agent", "run=r1");
    c.say({ type: "start" });
    c.say({ type: "start" });
    expect(back.seen.messages).toEqual([]);
    back.member.text(OFFER, T0);
    expect(back.seen.control.map(({ type }) => type)).toEqual(["state", "ack", "start"]);
    back.member.closed(T0);
    const next = enter("agent", "run=r2");
    next.member.text(OFFER, T0);
    expect(next.seen.control.map(({ type }) => type)).toEqual(["state", "ack"]);
  });

  test("output or a second exit after the exit: unexpected", () => {
    for (const act of [
      ({ agent }: ReturnType<typeof session>) => agent.member.binary(octets("x"), T0),
      ({ agent }: ReturnType<typeof session>) => agent.say({ type: "exit", code: 1, signal: null, again: true }),
    ]) {
      const all = session();
      all.agent.say({ type: "exit", code: 0, signal: null, again: true });
      act(all);
      expect(all.agent.seen.last("error")?.code).toBe("unexpected");
    }
  });
});

test("a full hub forgets a session whose shell has ended, and no other", () => {
  const hub = new Hub({ sessions: 2 });
  const offers = (id: string) => {
    const found = hub.admit("agent", id, new URLSearchParams("run=r"));
    if ("status" in found) return found.status;
    const member = found.enter(new Witness(), T0);
    member.text(OFFER, T0);
    return member;
  };
  const [first, second] = [offers("a"), offers("b")];
  if (typeof first === "number" || typeof second === "number") throw new Error("there was no room");
  second.closed(T0);
  expect(offers("c")).toBe(503);
  first.text(writeControl({ type: "exit", code: 0, signal: null, again: false }), T0);
  first.closed(T0);
  expect(typeof offers("c")).toBe("object");
  expect([hub.session("a"), hub.size]).toEqual([undefined, 2]);
  expect(offers("d")).toBe(503);
});

describe("input while the hub was down", () => {
  /** Types over a hub that breaks, and returns what the shell behind the next hub got, with the reports of the client. */
  const typed = (before: string, during: string, { arrives, run = "r1" }: { arrives: boolean; run?: string }) => {
    const first = new World();
    const agent = first.agent();
    const client = first.client("c");
    agent.connect(first.now);
    first.settle();
    client.connect(first.now);
    first.settle();
    client.side.type(octets(before));
    if (arrives) first.settle();
    agent.break(first.now);
    client.break(first.now);
    client.side.type(octets(during));
    const second = new World();
    const shell = run === "r1" ? agent : second.agent(run);
    for (const party of [shell, client]) Object.assign(party, { hub: second.hub });
    second.parties.push(agent, client);
    shell.connect(second.now);
    second.settle();
    client.connect(second.now);
    second.settle();
    const untyped = client.happenings.flatMap((one) => (one.is === "state" ? [one.untyped] : []));
    return { shell: text(shell.typed), untyped: Math.max(...untyped), left: client.side.untaken };
  };
  test("never sent: sent to the next hub", () =>
    expect(typed("ls\r", "pwd\r", { arrives: true })).toEqual({ shell: "ls\rpwd\r", untyped: 0, left: 0 }));
  test("sent and not confirmed: reported, not typed again, and what follows is sent", () =>
    expect(typed("ls\r", "pwd\r", { arrives: false })).toEqual({ shell: "pwd\r", untyped: 3, left: 0 }));
  test("nothing was ever confirmed: nothing is typed twice", () =>
    expect(typed("ls\r", "", { arrives: false })).toEqual({ shell: "", untyped: 3, left: 0 }));
  test("meant for a shell that is gone: reported", () =>
    expect(typed("ls\r", "rm x\r", { arrives: true, run: "r2" })).toEqual({ shell: "", untyped: 5, left: 0 }));
});

describe("the screen of a session", () => {
  /** A screen that draws on request only. */
  function slow() {
    const calls: (() => void)[] = [];
    let drawn = "";
    const screen: Screen = {
      write: (some, done) => void calls.push(() => ((drawn += text([some])), done())),
      resize: () => {},
      draw: () => octets(`<${drawn}>`),
      close: () => {},
    };
    return { screen: () => screen, run: (count = calls.length) => calls.splice(0, count).forEach((call) => call()) };
  }

  test("a late client gets the screen, and the output after it", () => {
    const { screen, run } = slow();
    const { agent, client } = session({ screen });
    agent.member.binary(octets("one"), T0);
    const { seen, say } = client("c");
    agent.member.binary(octets("two"), T0);
    expect(seen.messages).toEqual([]);
    run();
    expect(seen.last("state")).toMatchObject({ from: 3, screen: 5, end: 6 });
    expect(seen.shown).toBe("<one>two");
    agent.member.binary(octets("three"), T0);
    expect(seen.shown).toBe("<one>twothree");
    say({ type: "ack", offset: 11 });
    expect(seen.closed).toBeUndefined();
  });

  test("a client that returns with what it has seen gets no screen", () => {
    const { screen, run } = slow();
    const { agent, client } = session({ screen });
    agent.member.binary(octets("one"), T0);
    run();
    const { seen } = client("c", "&run=r1&from=1");
    expect(seen.last("state")).toMatchObject({ from: 1, screen: 0 });
    expect(seen.shown).toBe("ne");
  });

  test("a client that waits for the screen of output that is lost meanwhile begins after the gap", () => {
    const { screen, run } = slow();
    const { agent, enter, client } = session({ screen });
    agent.member.binary(octets("one"), T0);
    const { seen } = client("c");
    agent.member.closed(T0);
    const back = enter("agent", "run=r1");
    back.member.text(writeControl({ type: "offer", from: 20, end: 20, input: 0, cols: 80, rows: 24 }), T0);
    run();
    back.member.binary(octets("two"), T0);
    expect(seen.control.find(({ type }) => type === "state")).toMatchObject({ from: 20, screen: 0 });
    expect(seen.shown).toBe("two");
  });

  test("a screen that is slow holds the agent back", () => {
    const { screen, run } = slow();
    const { agent } = session({ screen });
    agent.member.binary(octets("one"), T0);
    expect(agent.seen.last("ack")?.offset).toBe(0);
    run();
    expect(agent.seen.last("ack")?.offset).toBe(3);
  });

  test("a client that leaves, and a shell that ends, before the screen is drawn", () => {
    const { screen, run } = slow();
    const { agent, client } = session({ screen });
    const [left, stays] = [client("a"), client("b")];
    left.member.closed(T0);
    agent.say({ type: "exit", code: 1, signal: null, again: false });
    run();
    expect(left.seen.messages).toEqual([]);
    expect(stays.seen.last("exit")?.code).toBe(1);
    expect(stays.seen.closed?.code).toBe(1000);
  });

  test("the client's side: the screen is not counted, nothing is lost, and a cut in the screen is no cut in the output", () => {
    const { screen, run } = slow();
    const world = new World();
    Object.assign(world, { hub: new Hub({ messageOctets: 4 }, { screen }) });
    const agent = world.agent();
    agent.connect(world.now);
    world.settle();
    agent.side.printed(octets("abc"));
    world.settle();
    const client = world.client("c");
    client.connect(world.now);
    agent.side.printed(octets("def"));
    world.settle();
    run();
    world.settle();
    expect(text(client.screen)).toBe("<abc>def");
    expect(client.side.received).toBe(6);
    expect(client.happenings[0]).toMatchObject({ is: "state", lost: 0, isFresh: true });
    client.break(world.now);
    agent.side.printed(octets("ghi"));
    world.settle();
    client.connect(world.now);
    world.settle();
    expect(text(client.screen)).toBe("<abc>defghi");
  });
});
