import { describe, expect, test } from "vitest";
import { instant } from "../../core/index.ts";
import { Hub } from "./hub.ts";
import type { ChannelLimits } from "./limits.ts";
import { readControl, writeControl, type Peer } from "./protocol.ts";
import type { Member } from "./member.ts";
import { octets, Witness } from "./testing.ts";

const SMALL: Partial<ChannelLimits> = {
  replayOctets: 16,
  windowOctets: 12,
  lagOctets: 32,
  typedOctets: 8,
  messageOctets: 12,
  controlOctets: 200,
  stallMs: 1_000,
  goneMs: 10_000,
  keepMs: 5_000,
  clients: 3,
  askMs: Number.POSITIVE_INFINITY,
};
const T0 = instant(0);
const OFFER = writeControl({ type: "offer", from: 0, end: 0, input: 0, cols: 80, rows: 24 });
const ack = (offset: number): string => writeControl({ type: "ack", offset });

function enter(hub: Hub, role: "agent" | "client", peer: Peer, query: string, now = T0): Member {
  const found = hub.admit(role, "main", new URLSearchParams(query));
  if ("status" in found) throw new Error(`${found.status} ${found.why}`);
  return found.enter(peer, now);
}
function shell(limits: Partial<ChannelLimits> = SMALL) {
  const hub = new Hub(limits);
  const witness = new Witness();
  const agent = enter(hub, "agent", witness, "run=r1");
  agent.text(OFFER, T0);
  const client = (id: string, more = "") => {
    const seen = new Witness();
    return { seen, member: enter(hub, "client", seen, `client=${id}${more}`) };
  };
  return { hub, witness, agent, client };
}

describe("a session: replay", () => {
  test("the agent receives its state, and an acknowledgement to count from, after its offer", () => {
    const { witness } = shell();
    expect(witness.control).toEqual([
      {
        type: "state",
        session: "main",
        run: "r1",
        agent: "here",
        from: 0,
        screen: 0,
        end: 0,
        input: 0,
        known: true,
        window: 12,
        cols: 80,
        rows: 24,
        clients: 0,
        owner: false,
      },
      { type: "ack", offset: 0 },
    ]);
  });

  test("a late client receives what is kept, with its offset", () => {
    const { agent, client } = shell();
    for (const part of ["0123456789", "abcdefghij"]) agent.binary(octets(part), T0);
    const { seen } = client("a");
    expect(seen.last("state")).toMatchObject({ from: 4, end: 20, agent: "here", run: "r1" });
    expect(seen.shown).toBe("456789abcdefghij");
    expect(seen.messages.filter((one) => typeof one !== "string").map((one) => one.length)).toEqual([12, 4]);
  });

  test("a returning client asks from its offset, and receives the rest only", () => {
    const { agent, client } = shell();
    agent.binary(octets("0123456789"), T0);
    expect(client("a", "&run=r1&from=7").seen.shown).toBe("789");
    expect(client("b", "&run=r1&from=10").seen.shown).toBe("");
  });

  test.each([
    ["of another run", "&run=r0&from=7"],
    ["beyond the output", "&run=r1&from=11"],
    ["without a run", "&from=7"],
  ])("an offset %s is ignored", (_, more) => {
    const { agent, client } = shell();
    agent.binary(octets("0123456789"), T0);
    const { seen } = client("a", more);
    expect(seen.last("state")?.from).toBe(0);
    expect(seen.shown).toBe("0123456789");
  });

  test("several clients see the same", () => {
    const { agent, client } = shell();
    const [a, b] = [client("a"), client("b")];
    agent.binary(octets("hello"), T0);
    expect([a.seen.shown, b.seen.shown]).toEqual(["hello", "hello"]);
    expect(a.seen.last("state")?.clients).toBe(2);
    b.member.closed(T0);
    expect(a.seen.last("state")?.clients).toBe(1);
  });

  test("output is copied: later changes to the octets have no effect", () => {
    const { agent, client } = shell();
    const { seen } = client("a");
    const buffer = octets("hello");
    agent.binary(buffer, T0);
    buffer.fill(0);
    expect(seen.shown).toBe("hello");
  });
});

describe("a session: flow", () => {
  test("without clients output is acknowledged as it arrives", () => {
    const { agent, witness } = shell();
    for (let i = 0; i < 10; i++) agent.binary(octets("0123456789"), T0);
    expect(witness.last("ack")?.offset).toBe(100);
    expect(witness.closed).toBeUndefined();
  });

  test("the fastest client opens the agent's window", () => {
    const { agent, witness, client } = shell();
    const [a, b] = [client("a"), client("b")];
    agent.binary(octets("0123456789"), T0);
    expect(witness.last("ack")?.offset).toBe(0);
    a.member.text(ack(4), T0);
    b.member.text(ack(2), T0);
    expect(witness.last("ack")?.offset).toBe(4);
    b.member.text(ack(9), T0);
    expect(witness.last("ack")?.offset).toBe(9);
  });

  test("when the last client leaves, its unshown output is acknowledged", () => {
    const { agent, witness, client } = shell();
    const { member } = client("a");
    agent.binary(octets("0123456789"), T0);
    member.closed(T0);
    expect(witness.last("ack")?.offset).toBe(10);
  });

  test("an agent that overruns its window is closed with 1008", () => {
    const { agent, witness, client } = shell();
    const { seen } = client("a");
    agent.binary(octets("012345678901"), T0);
    expect(witness.closed).toBeUndefined();
    agent.binary(octets("x"), T0);
    expect(witness.last("error")?.code).toBe("window-exceeded");
    expect(witness.closed?.code).toBe(1008);
    expect(seen.last("state")?.agent).toBe("gone");
    expect(seen.shown).toBe("012345678901");
  });

  test("a client that is too far behind is dropped with 1013, and the others continue", () => {
    const { agent, witness, client } = shell();
    const [fast, slow] = [client("fast"), client("slow")];
    for (let i = 1; i <= 4; i++) {
      agent.binary(octets("0123456789"), T0);
      fast.member.text(ack(i * 10), T0);
    }
    expect(slow.seen.last("error")?.code).toBe("too-slow");
    expect(slow.seen.closed?.code).toBe(1013);
    expect(slow.seen.shown.length).toBe(30);
    expect(fast.seen.shown.length).toBe(40);
    expect(fast.seen.last("state")?.clients).toBe(1);
    expect(witness.last("ack")?.offset).toBe(40);
    expect(witness.closed).toBeUndefined();
  });

  test("a single client holds the agent back until it is stalled", () => {
    const { hub, agent, witness, client } = shell();
    const { seen, member } = client("a");
    expect(hub.deadline).toBe(Number.POSITIVE_INFINITY);
    agent.binary(octets("0123456789"), instant(500));
    expect(hub.deadline).toBe(1_500);
    member.text(ack(1), instant(1_400));
    expect(hub.deadline).toBe(2_400);
    hub.tick(instant(2_399));
    expect(seen.closed).toBeUndefined();
    hub.tick(instant(2_400));
    expect(seen.last("error")?.code).toBe("stalled");
    expect(seen.closed?.code).toBe(1013);
    expect(witness.last("ack")?.offset).toBe(10);
  });

  test("an acknowledgement beyond what was sent closes the connection; an older one is ignored", () => {
    const { agent, client } = shell();
    const { seen, member } = client("a");
    agent.binary(octets("01234"), T0);
    member.text(ack(5), T0);
    member.text(ack(3), T0);
    expect(seen.closed).toBeUndefined();
    member.text(ack(6), T0);
    expect(seen.last("error")?.code).toBe("ack-ahead");
    expect(seen.closed?.code).toBe(1008);
  });
});

describe("a session: typing", () => {
  test("goes to the agent, and is acknowledged to each client by its own count", () => {
    const { agent, witness, client } = shell();
    const [a, b] = [client("a"), client("b")];
    a.member.binary(octets("abc"), T0);
    b.member.binary(octets("de"), T0);
    expect(witness.shown).toBe("abcde");
    expect(a.seen.last("ack")?.offset).toBe(0);
    agent.text(ack(4), T0);
    expect(a.seen.last("ack")?.offset).toBe(3);
    expect(b.seen.last("ack")?.offset).toBe(1);
  });

  test("beyond the window closes with 1008", () => {
    const { agent, client } = shell();
    const { seen, member } = client("a");
    member.binary(octets("12345678"), T0);
    agent.text(ack(2), T0);
    member.binary(octets("90"), T0);
    expect(seen.closed).toBeUndefined();
    member.binary(octets("!"), T0);
    expect(seen.last("error")?.code).toBe("window-exceeded");
    expect(seen.closed?.code).toBe(1008);
  });

  test("waits for an absent agent, and is sent again without what the shell has", () => {
    const { hub, agent, client } = shell();
    const { seen, member } = client("a");
    member.binary(octets("abc"), T0);
    agent.closed(T0);
    member.binary(octets("def"), T0);
    const again = new Witness();
    const second = enter(hub, "agent", again, "run=r1");
    second.text(writeControl({ type: "offer", from: 0, end: 0, input: 2, cols: 80, rows: 24 }), T0);
    expect(again.last("state")?.input).toBe(2);
    expect(again.shown).toBe("cdef");
    expect(seen.last("ack")?.offset).toBe(2);
  });

  test("input is copied: later changes to waiting octets have no effect", () => {
    const { hub, agent, client } = shell();
    const { member } = client("a");
    agent.closed(T0);
    const buffer = octets("abc");
    member.binary(buffer, T0);
    buffer.fill(0);
    const again = new Witness();
    enter(hub, "agent", again, "run=r1").text(OFFER, T0);
    expect(again.shown).toBe("abc");
  });

  test("a returning client learns how much has arrived", () => {
    const { agent, client } = shell();
    const first = client("a");
    first.member.binary(octets("abcd"), T0);
    agent.text(ack(1), T0);
    first.member.closed(T0);
    const { seen } = client("a");
    expect(seen.last("state")?.input).toBe(4);
    expect(seen.last("ack")?.offset).toBe(1);
  });

  test("an agent with more input than was typed is closed", () => {
    const { agent, witness } = shell();
    agent.text(ack(1), T0);
    expect(witness.last("error")?.code).toBe("ack-ahead");
    expect(witness.closed?.code).toBe(1008);
  });
});

describe("a session: life", () => {
  test("a lost agent shows as gone", () => {
    const { agent, client } = shell();
    const { seen } = client("a");
    expect(seen.last("state")?.agent).toBe("here");
    agent.closed(T0);
    expect(seen.last("state")?.agent).toBe("gone");
    expect(seen.closed).toBeUndefined();
  });

  test("the exit reaches all clients, later ones too, and is forgotten after `keepMs`", () => {
    const { hub, agent, witness, client } = shell();
    const { seen } = client("a");
    agent.binary(octets("bye"), T0);
    agent.text(writeControl({ type: "exit", code: 3, signal: null, again: false }), T0);
    agent.closed(T0);
    expect(witness.closed?.code).toBe(1000);
    for (const each of [seen, client("b").seen]) {
      expect(each.shown).toBe("bye");
      expect(each.last("exit")).toEqual({ type: "exit", code: 3, signal: null, again: false });
      expect(each.last("state")?.agent).toBe("exited");
      expect(each.closed?.code).toBe(1000);
    }
    hub.tick(instant(4_999));
    expect(hub.size).toBe(1);
    hub.tick(instant(5_000));
    expect(hub.size).toBe(0);
  });

  test("a session without an agent ends after `goneMs`, and its clients are notified", () => {
    const { hub, agent, client } = shell();
    const { seen } = client("a");
    agent.closed(instant(100));
    hub.tick(instant(10_099));
    expect(seen.closed).toBeUndefined();
    hub.tick(instant(10_100));
    expect(seen.closed?.code).toBe(4001);
    expect(hub.size).toBe(0);
  });

  test("the same agent may reconnect, another may not connect", () => {
    const { hub, agent, witness } = shell();
    expect(hub.admit("agent", "main", new URLSearchParams("run=r2"))).toMatchObject({ status: 409 });
    const again = new Witness();
    enter(hub, "agent", again, "run=r1").text(OFFER, T0);
    expect(witness.closed?.code).toBe(4000);
    agent.binary(octets("late"), T0);
    agent.closed(T0);
    expect(hub.session("main")?.agent).toBe("here");
    expect(hub.session("main")?.replay.end).toBe(0);
    expect(again.closed).toBeUndefined();
  });

  test("another run starts again: clients and their input are dropped", () => {
    const { hub, agent, client } = shell();
    const { seen, member } = client("a");
    agent.binary(octets("old"), T0);
    member.binary(octets("rm"), T0);
    agent.closed(T0);
    const second = new Witness();
    enter(hub, "agent", second, "run=r2").text(OFFER, T0);
    expect(seen.last("error")?.code).toBe("restarted");
    expect(seen.closed?.code).toBe(4002);
    expect(second.shown).toBe("");
    const back = client("a", "&run=r1&from=3").seen;
    expect(back.last("state")).toMatchObject({ run: "r2", from: 0, input: 0 });
  });

  test("a client that reconnects replaces itself", () => {
    const { hub, client } = shell();
    const old = client("a");
    client("a");
    expect(old.seen.closed?.code).toBe(4000);
    expect(hub.session("main")?.clients.size).toBe(1);
    old.member.closed(T0);
    expect(hub.session("main")?.clients.size).toBe(1);
  });

  test("a size is sent to all, and to the next agent", () => {
    const { hub, agent, witness, client } = shell();
    const [a, b] = [client("a"), client("b")];
    a.member.text(writeControl({ type: "resize", cols: 100, rows: 40 }), T0);
    for (const each of [witness, a.seen, b.seen]) expect(each.last("resize")).toEqual({ type: "resize", cols: 100, rows: 40 });
    agent.closed(T0);
    const again = new Witness();
    enter(hub, "agent", again, "run=r1").text(OFFER, T0);
    expect(again.last("state")).toMatchObject({ cols: 100, rows: 40 });
  });

  test.each([
    ["octets before the offer", (m: Member) => m.binary(octets("x"), T0), "unexpected", 1008],
    ["an acknowledgement before the offer", (m: Member) => m.text(ack(0), T0), "unexpected", 1008],
    ["invalid JSON", (m: Member) => m.text("{", T0), "malformed", 1008],
    ["a message of clients", (m: Member) => m.text('{"type":"resize","cols":1,"rows":1}', T0), "malformed", 1008],
    ["a long control message", (m: Member) => m.text(`"${"x".repeat(200)}"`, T0), "message-too-big", 1009],
    ["a long binary message", (m: Member) => m.binary(new Uint8Array(13), T0), "message-too-big", 1009],
  ])("an agent that sends %s is closed", (_, act, code, close) => {
    const hub = new Hub(SMALL);
    const witness = new Witness();
    act(enter(hub, "agent", witness, "run=r1"));
    expect(readControl(witness.messages.at(-1) as string, "hub")).toMatchObject({ type: "error", code });
    expect(witness.closed?.code).toBe(close);
  });

  test("an offer that contradicts what was sent is refused", () => {
    const { hub, agent } = shell();
    agent.binary(octets("abc"), T0);
    agent.closed(T0);
    const again = new Witness();
    enter(hub, "agent", again, "run=r1").text(OFFER, T0);
    expect(again.last("error")?.message).toBe("the agent has less output than it has sent");
  });

  test.each([
    ["invalid JSON", (m: Member) => m.text("?", T0), "malformed", 1008],
    ["a message of agents", (m: Member) => m.text('{"type":"exit","code":0,"signal":null,"again":false}', T0), "malformed", 1008],
    ["a long binary message", (m: Member) => m.binary(new Uint8Array(13), T0), "message-too-big", 1009],
    ["a long control message", (m: Member) => m.text(`"${"x".repeat(200)}"`, T0), "message-too-big", 1009],
  ])("a client that sends %s is closed, and the others continue", (_, act, code, close) => {
    const { client, witness } = shell();
    const [a, b] = [client("a"), client("b")];
    act(a.member);
    expect(a.seen.last("error")?.code).toBe(code);
    expect(a.seen.closed?.code).toBe(close);
    expect(b.seen.closed).toBeUndefined();
    expect(witness.closed).toBeUndefined();
  });
});
