import { describe, expect, test } from "vitest";
import { ClientSide } from "./client-side.ts";
import { octets, text, World } from "./testing.ts";

test("a client that has no state yet asks for no shell, no size and no terminal", () => {
  const sent: (string | Uint8Array)[] = [];
  const side = new ClientSide("a");
  side.connected({ send: (message) => void sent.push(message), close: () => {} });
  side.start();
  side.resize(100, 40);
  side.own();
  side.type(octets("x"));
  expect(sent).toEqual([]);
});

describe("agent and client over a hub", () => {
  test("output is shown, and input arrives", () => {
    const world = new World();
    const [agent, client] = [world.agent(), world.client("a")];
    agent.connect(world.now);
    world.settle();
    client.connect(world.now);
    client.side.type(octets("ls\r"));
    agent.side.printed(octets("$ "));
    world.settle();
    expect(text(client.screen)).toBe("$ ");
    expect(text(agent.typed)).toBe("ls\r");
    expect(client.side.untaken).toBe(0);
  });

  test("an agent that prints faster than clients show is paused, and continues", () => {
    const world = new World({ windowOctets: 1_000 });
    const [agent, client] = [world.agent(), world.client("a")];
    agent.connect(world.now);
    world.settle();
    client.isStuck = true;
    client.connect(world.now);
    world.settle();
    agent.side.printed(new Uint8Array(2_500));
    world.settle();
    expect(agent.isPaused).toBe(true);
    expect(text(client.screen).length).toBe(1_000);
    client.isStuck = false;
    client.side.shown(client.side.received);
    world.settle();
    expect(agent.isPaused).toBe(false);
    expect(text(client.screen).length).toBe(2_500);
  });

  test("an agent without a hub is paused when its window is used up, and sends all when it reconnects", () => {
    const world = new World({ windowOctets: 1_000 });
    const agent = world.agent();
    agent.connect(world.now);
    world.settle();
    agent.break(world.now);
    agent.side.printed(octets("x".repeat(1_200)));
    expect(agent.isPaused).toBe(true);
    agent.connect(world.now);
    world.settle();
    expect(agent.isPaused).toBe(false);
    const client = world.client("a");
    client.connect(world.now);
    world.settle();
    expect(text(client.screen)).toBe("x".repeat(1_200));
  });

  test("an agent that keeps little is paused before its first hub, and has what that hub asks for", () => {
    const world = new World();
    const agent = world.agent("r1", 16);
    agent.side.printed(octets("a".repeat(8)));
    expect(agent.isPaused).toBe(true);
    agent.connect(world.now);
    agent.step(world.now);
    agent.step(world.now);
    // Printed before the shell noticed, and before the hub's first acknowledgement.
    agent.side.printed(octets("b".repeat(8)));
    world.settle();
    const client = world.client("a");
    client.connect(world.now);
    world.settle();
    expect(text(client.screen)).toBe("a".repeat(8) + "b".repeat(8));
  });

  test("the exit follows all output, and is sent again after a break", () => {
    const world = new World({ windowOctets: 10 });
    const [agent, client] = [world.agent(), world.client("a")];
    agent.connect(world.now);
    world.settle();
    client.connect(world.now);
    agent.side.printed(octets("0123456789abcdef"));
    agent.side.exited(0, 15);
    agent.break(world.now);
    world.settle();
    expect(agent.side.isDone).toBe(false);
    agent.connect(world.now);
    world.settle();
    expect(text(client.screen)).toBe("0123456789abcdef");
    expect(client.happenings.at(-1)).toEqual({ is: "exit", code: 0, signal: 15, again: false });
    expect(client.code).toBe(1000);
    expect(agent.side.isDone).toBe(true);
    expect(agent.connect(world.now)).toBe(false);
    expect(agent.refused).toBe(409);
  });

  test("an exit in flight when the connection broke is sent again", () => {
    const world = new World();
    const agent = world.agent();
    agent.connect(world.now);
    world.settle();
    agent.side.exited(1, null);
    agent.break(world.now);
    expect(agent.side.isDone).toBe(false);
    agent.connect(world.now);
    world.settle();
    expect(agent.side.isDone).toBe(true);
    expect(world.hub.session("main")?.exit).toEqual({ type: "exit", code: 1, signal: null, again: false });
  });

  test("an acknowledgement of one hub opens no window at the next", () => {
    const before = new World();
    const agent = before.agent("r1", 200);
    agent.connect(before.now);
    before.settle();
    for (let i = 0; i < 10; i++) {
      agent.side.printed(octets("0123456789"));
      before.settle();
    }
    agent.break(before.now);
    const after = new World({ windowOctets: 40 });
    Object.assign(agent, { hub: after.hub });
    after.parties.push(agent);
    agent.connect(after.now);
    agent.step(after.now);
    const client = after.client("c");
    client.isStuck = true;
    client.connect(after.now);
    // The state has arrived, but not the acknowledgement that the window counts from.
    agent.side.printed(octets("x"));
    after.settle();
    expect(agent.wire).toBeDefined();
    expect(text(client.screen).length).toBe(40);
    client.isStuck = false;
    client.side.shown(40);
    after.settle();
    expect(text(client.screen)).toBe(`${"0123456789".repeat(10)}x`);
  });

  test("a hub that restarted receives the agent's replay, and the client keeps its offsets", () => {
    const before = new World();
    const agent = before.agent("r1", 8);
    agent.connect(before.now);
    before.settle();
    for (const part of ["0123", "4567", "89ab"]) {
      agent.side.printed(octets(part));
      before.settle();
    }
    agent.break(before.now);
    const after = new World();
    Object.assign(agent, { hub: after.hub });
    after.parties.push(agent);
    agent.connect(after.now);
    after.settle();
    const client = after.client("c");
    client.connect(after.now);
    after.settle();
    expect(agent.troubles).toEqual([]);
    expect(text(client.screen)).toBe("456789ab");
    expect(client.happenings[0]).toMatchObject({ is: "state", lost: 0, isFresh: true });
  });

  test("a client beyond the replay learns how much it missed", () => {
    const world = new World({ replayOctets: 8 });
    const [agent, client] = [world.agent(), world.client("a")];
    agent.connect(world.now);
    world.settle();
    client.connect(world.now);
    world.settle();
    agent.side.printed(octets("01"));
    world.settle();
    client.break(world.now);
    agent.side.printed(octets("23456789abcdef"));
    world.settle();
    client.connect(world.now);
    world.settle();
    expect(client.happenings.findLast((one) => one.is === "state" && one.lost > 0)).toMatchObject({ lost: 6, isFresh: false });
    expect(text(client.screen)).toBe("0189abcdef");
  });

  test("input to a hub that has forgotten it is not typed again, and is reported", () => {
    const world = new World();
    const [agent, client] = [world.agent(), world.client("a")];
    agent.connect(world.now);
    world.settle();
    client.connect(world.now);
    world.settle();
    client.side.type(octets("rm x"));
    agent.break(world.now);
    client.break(world.now);
    const next = world.agent("r2");
    next.connect(world.now);
    world.settle();
    client.connect(world.now);
    world.settle();
    expect(text(next.typed)).toBe("");
    expect(client.happenings.findLast((one) => one.is === "state" && one.isFresh)).toMatchObject({ untyped: 4 });
    client.side.type(octets("ls"));
    world.settle();
    expect(text(next.typed)).toBe("ls");
  });

  test("long input is sent in pieces within the window, and too much is refused", () => {
    const world = new World({ typedOctets: 100 });
    const [agent, client] = [world.agent(), world.client("a")];
    agent.connect(world.now);
    world.settle();
    client.connect(world.now);
    expect(client.side.type(octets("y".repeat(5_000)))).toBe(true);
    world.settle();
    expect(text(agent.typed)).toBe("y".repeat(5_000));
    expect(client.code).toBeUndefined();
    expect(client.side.type(new Uint8Array(1_048_577))).toBe(false);
  });

  test("a client that is behind is dropped while another continues, and catches up from the replay", () => {
    const world = new World({ replayOctets: 1_000, windowOctets: 400, lagOctets: 1_500 });
    const [agent, fast, slow] = [world.agent(), world.client("fast"), world.client("slow")];
    agent.connect(world.now);
    world.settle();
    fast.connect(world.now);
    slow.connect(world.now);
    world.settle();
    slow.isStuck = true;
    let all = "";
    for (let i = 0; i < 20; i++) {
      const line = `line ${i} `.padEnd(100, ".");
      all += line;
      agent.side.printed(octets(line));
      world.settle();
    }
    expect(slow.code).toBe(1013);
    expect(text(fast.screen)).toBe(all);
    slow.isStuck = false;
    slow.connect(world.now);
    world.settle();
    expect(text(slow.screen)).toBe(all);
  });
});
