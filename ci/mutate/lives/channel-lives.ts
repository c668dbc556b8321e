import { instant } from "../../../reference/core/index.ts";
import type { ChannelLimits, Role } from "../../../reference/websocket/channel/index.ts";
import { drawnText, type Edges, output } from "./channel-strangers.ts";
import { AgentParty, ClientParty, Line, type Message, type Party, World } from "./channel-world.ts";
import { among, below, chance, type Draw, octetsOf } from "./draw.ts";

function limitsOf(draw: Draw): Partial<ChannelLimits> {
  return {
    sessions: among(draw, [1, 2, 3]),
    clients: among(draw, [1, 2, 3, 4]),
    writers: among(draw, [1, 2, 3]),
    replayOctets: among(draw, [0, 16, 40, 100, 1_000]),
    windowOctets: among(draw, [8, 20, 60]),
    lagOctets: among(draw, [30, 60, 200, 2_000]),
    typedOctets: among(draw, [4, 10, 40]),
    messageOctets: among(draw, [8, 20, 64, 200]),
    controlOctets: among(draw, [64, 160, 400]),
    stallMs: among(draw, [500, 3_000]),
    askMs: among(draw, [400, 1_000]),
    deadMs: among(draw, [300, 2_000]),
    goneMs: among(draw, [700, 5_000]),
    keepMs: among(draw, [600, 4_000]),
  };
}

/** Actions of `worldLife` that belong together. */
const FOCUS: Readonly<Record<"size" | "end" | "typing" | "any", readonly [number, ...number[]]>> = {
  size: [0, 4, 7, 7, 7, 12],
  end: [0, 4, 7, 11, 13, 2],
  typing: [0, 3, 3, 4, 12, 11, 14, 18],
  any: [0, 4],
};

/** A hub with agents and clients that come and go, and with strangers that say anything. */
export function worldLife(draw: Draw): string {
  const lines: string[] = [];
  const limits = chance(draw, 0.9) ? limitsOf(draw) : {};
  lines.push(JSON.stringify(limits));
  const sizing = among(draw, [undefined, undefined, "owner", "smallest", "last"] as const);
  const world = new World(limits, { ...(sizing === undefined ? {} : { sizing }), screen: chance(draw, 0.4) }, lines);
  const agents = [new AgentParty(world, "A", "r1", 100), new AgentParty(world, "B", chance(draw, 0.5) ? "r2" : "r1", undefined)] as const;
  const clients = [
    new ClientParty(world, "a", "client", false),
    new ClientParty(world, "b", "client", false),
    new ClientParty(world, "c", "client", chance(draw, 0.3)),
    new ClientParty(world, "w", "watcher", false),
  ] as const;
  const parties: readonly Party[] = [...agents, ...clients];
  const strangers: Line[] = [];
  if (chance(draw, 0.9)) agents[0].connect();
  const isCalm = chance(draw, 0.5);
  const focus = among(draw, ["size", "end", "typing", "any"] as const);
  const shellOf = (): AgentParty => (chance(draw, 0.85) ? agents[0] : agents[1]);
  for (let left = 15 + below(draw, 40); left > 0; left--) {
    const client = among(draw, clients);
    const usual = chance(draw, 0.5);
    switch (usual ? below(draw, isCalm ? 13 : 20) : among(draw, FOCUS[focus])) {
      case 0:
      case 1:
        client.connect();
        break;
      case 2: {
        const shell = shellOf();
        if (!shell.isPaused) shell.side.printed(output(draw, 1 + below(draw, 24)));
        break;
      }
      case 3: {
        const octets = octetsOf(draw, among(draw, [0, 1, 3, 5, 10, 12]));
        lines.push(`${client.name} types ${octets.length}: ${client.side.type(octets)}`);
        break;
      }
      case 4:
      case 5:
        settle(parties, chance(draw, 0.3) ? 1 : 30);
        break;
      case 6:
        world.interpret(1 + below(draw, 4));
        break;
      case 7:
        if (chance(draw, 0.5)) client.side.resize(20 + below(draw, 3), 20 + below(draw, 3));
        else if (chance(draw, 0.6)) client.side.own();
        else client.side.start();
        break;
      case 8:
        passTime(draw, world, parties);
        break;
      case 9:
        client.shows = chance(draw, 0.6);
        if (client.line !== undefined) client.show(below(draw, 4) - 1);
        break;
      case 10:
        for (const line of strangers) say(draw, line, edgesOf(draw, world));
        if (strangers.length < 2 && chance(draw, 0.6)) enterStranger(draw, world, strangers);
        break;
      case 11:
        shellOf().connect();
        break;
      case 12:
        among<Party>(draw, [agents[0], ...clients]).break();
        break;
      case 13:
        if (chance(draw, 0.4)) shellOf().side.exited(below(draw, 3), among(draw, [null, 9]), chance(draw, 0.6));
        break;
      case 14:
        enterStranger(draw, world, strangers);
        break;
      case 15: {
        const gone = strangers.splice(below(draw, strangers.length + 1), 1);
        for (const line of gone) line.gone();
        break;
      }
      case 16: {
        // A connection of the same name, while the other is open.
        const twin = new Line(world, `${client.name}2`);
        if (twin.enter(client.name === "w" ? "watcher" : "client", "main", client.side.query)) strangers.push(twin);
        break;
      }
      case 17: {
        const late = new Line(world, "late").enterLate(among(draw, ["agent", "client"] as const), "main", "run=r3&client=late");
        settle(parties, 3);
        if (chance(draw, 0.5)) passTime(draw, world, parties);
        late?.();
        break;
      }
      default:
        for (const line of strangers) say(draw, line, edgesOf(draw, world));
    }
    lines.push(world.tell());
  }
  for (let left = 3; left > 0; left--) {
    world.interpret(100);
    settle(parties, 60);
    passTime(draw, world, parties);
    lines.push(world.tell());
  }
  return lines.join("\n");
}

function settle(parties: readonly Party[], rounds: number): void {
  for (let round = 0, some = true; some && round < rounds; round++) {
    some = false;
    for (const party of parties) if (party.step()) some = true;
  }
}

function passTime(draw: Draw, world: World, parties: readonly Party[]): void {
  const { deadline } = world.hub;
  const isDue = chance(draw, 0.7) && Number.isFinite(deadline);
  const at = instant(
    isDue ? Math.max(world.now, deadline + among(draw, [0, 0, -1, 1])) : world.now + among(draw, [1, 100, 999, 3_000, 7_000]),
  );
  world.pass(at);
  for (const party of parties) if (party.beat(at)) world.lines.push(`${party.name} finds the hub dead`);
}

function edgesOf(draw: Draw, world: World): Edges {
  const session = world.hub.session("main");
  const { limits } = world.hub;
  if (session === undefined) return { start: 0, end: 0, input: 0, window: limits.windowOctets, typed: 0 };
  const { replay, typing } = session;
  return {
    start: replay.start,
    end: replay.end,
    input: typing.acked + below(draw, typing.end - typing.acked + 1),
    window: limits.windowOctets,
    typed: typing.end,
  };
}

function enterStranger(draw: Draw, world: World, strangers: Line[]): void {
  const line = new Line(world, `S${strangers.length}`);
  const role: Role = among(draw, ["agent", "client", "client", "watcher"]);
  const session = among(draw, ["main", "main", "other", "third", "fourth", "a b", "", "x".repeat(64), "x".repeat(65), "-x", "x."]);
  const run = among(draw, ["r1", "r1", "r2", "r3", "", "-", "r 1"]);
  const from = among(draw, ["0", "5", "20", "40", "9007199254740991", "9007199254740992", "12345678901234567", "-1", "x", "1.5"]);
  const client = among(draw, ["s", "s", "t", "a", "", "-", "é"]);
  const mode = among(draw, ["", "", "&mode=watch", "&mode=type", "&mode=other"]);
  const query =
    role === "agent"
      ? `run=${run}`
      : `client=${client}${chance(draw, 0.6) ? `&run=${run}` : ""}${chance(draw, 0.6) ? `&from=${from}` : ""}${mode}`;
  if (line.enter(role, session, query)) strangers.push(line);
}
function say(draw: Draw, line: Line, edges: Edges): void {
  const { limits } = line.world.hub;
  const isAgent = line.name.startsWith("S") ? chance(draw, 0.6) : chance(draw, 0.2);
  for (let left = 1 + below(draw, 3); left > 0; left--) {
    const size = among(draw, [
      0,
      1,
      5,
      limits.messageOctets,
      limits.messageOctets + 1,
      limits.windowOctets,
      limits.windowOctets + 1,
      limits.typedOctets,
      limits.typedOctets + 1,
    ]);
    const message: Message = chance(draw, 0.6)
      ? drawnText(draw, isAgent ? "agent" : "client", edges, limits.controlOctets)
      : output(draw, Math.min(size, 300));
    line.deliver(message);
  }
}

/** An agent whose hub says anything. */
export function agentLife(draw: Draw): string {
  const lines: string[] = [];
  const world = new World({}, {}, lines);
  const kept = among(draw, [16, 40, 100, undefined]);
  const agent = new AgentParty(world, "A", "r1", kept);
  let [printed, typed] = [0, 0];
  for (let left = 10 + below(draw, 20); left > 0; left--) {
    const edges: Edges = { start: Math.max(0, printed - (kept ?? 1_000)), end: printed, input: typed, window: (kept ?? 100) >> 1, typed };
    switch (below(draw, 9)) {
      case 0:
        connectTo(world, agent);
        break;
      case 1:
        agent.side.lost(among(draw, [1000, 1006, 1008, 4000]));
        lines.push("lost");
        break;
      case 2:
      case 3: {
        // A shell that is told to pause prints no more than half of what is kept.
        if (agent.isPaused && chance(draw, 0.9)) break;
        const octets = output(draw, 1 + below(draw, kept === undefined ? (chance(draw, 0.05) ? 70_000 : 20) : kept >> 2));
        printed += octets.length;
        agent.side.printed(octets);
        break;
      }
      case 4:
        if (chance(draw, 0.3)) agent.side.exited(below(draw, 3), among(draw, [null, 9]), chance(draw, 0.5));
        break;
      case 5:
        world.now = instant(world.now + among(draw, [100, 4_999, 5_000, 5_001, 9_999, 10_000]));
        lines.push(`at ${world.now}: ${agent.beat(world.now)}`);
        break;
      case 6: {
        const octets = octetsOf(draw, 1 + below(draw, 5));
        typed += octets.length;
        agent.hear(octets);
        break;
      }
      default: {
        const text = chance(draw, 0.5) ? statedTo(draw, edges) : drawnText(draw, "hub", edges, 400);
        lines.push(`< ${text}`);
        agent.hear(text);
        if (chance(draw, 0.5)) hearAck(draw, agent, edges);
      }
    }
    lines.push(agent.tell());
  }
  return lines.join("\n");
}
function hearAck(draw: Draw, agent: AgentParty, { end }: Edges): void {
  const text = JSON.stringify({ type: "ack", offset: Math.max(0, end - below(draw, 30)) });
  agent.world.lines.push(`< ${text}`);
  agent.hear(text);
}
const statedTo = (draw: Draw, edges: Edges): string =>
  JSON.stringify({
    type: "state",
    session: "main",
    run: among(draw, ["r1", "r1", "r1", "r2"]),
    agent: "here",
    from: Math.max(0, edges.end - below(draw, 20)),
    screen: chance(draw, 0.7) ? 0 : below(draw, 15),
    end: edges.end,
    input: Math.max(0, edges.input - (chance(draw, 0.8) ? 0 : below(draw, 5))),
    known: chance(draw, 0.7),
    window: among(draw, [edges.window, 1, 10, 100_000, 0]),
    cols: 80 + below(draw, 2),
    rows: 24,
    clients: 1,
    owner: chance(draw, 0.5),
  });

function connectTo(world: World, party: Party): void {
  world.lines.push("connected");
  party.connected({
    send: (message) =>
      void world.lines.push(
        `> ${typeof message === "string" ? message : `${message.length} ${Buffer.from(message.subarray(0, 40)).toString("hex")}`}`,
      ),
    close: (code) => void world.lines.push(`closes ${code}`),
  });
}

function typedOctets(draw: Draw, untaken: number): Uint8Array {
  // As much as is kept for the agent, or one octet more.
  if (chance(draw, 0.004)) return new Uint8Array(1_048_576 - untaken + below(draw, 2));
  return octetsOf(draw, chance(draw, 0.03) ? among(draw, [16_384, 16_385, 40_000]) : among(draw, [0, 1, 3, 9]));
}

/** A client whose hub says anything. */
export function clientLife(draw: Draw): string {
  const lines: string[] = [];
  const world = new World({}, {}, lines);
  const client = new ClientParty(world, "a", "client", chance(draw, 0.1));
  let typed = 0;
  for (let left = 10 + below(draw, 25); left > 0; left--) {
    const { received, untaken } = client.side;
    const edges: Edges = {
      start: Math.max(0, received - 20),
      end: received,
      input: typed - (chance(draw, 0.5) ? untaken : 0),
      window: 12,
      typed,
    };
    switch (below(draw, 10)) {
      case 0:
        connectTo(world, client);
        break;
      case 1:
        client.lost();
        lines.push("lost");
        break;
      case 2:
      case 3: {
        const octets = typedOctets(draw, untaken);
        const took = client.side.type(octets);
        if (took) typed += octets.length;
        lines.push(`types ${octets.length}: ${took}`);
        break;
      }
      case 4:
        world.now = instant(world.now + among(draw, [100, 2_999, 3_000, 3_001, 3_999, 4_000]));
        lines.push(`at ${world.now}: ${client.beat(world.now)}`);
        break;
      case 5: {
        client.shows = chance(draw, 0.5);
        client.hear(octetsOf(draw, chance(draw, 0.05) ? among(draw, [16_383, 16_384, 20_000]) : 1 + below(draw, 12)));
        client.show(among(draw, [0, 1, 5, -1]));
        break;
      }
      case 6:
        if (chance(draw, 0.4)) client.side.resize(80, 24);
        else if (chance(draw, 0.5)) client.side.own();
        else client.side.start();
        break;
      default: {
        const text = chance(draw, 0.6) ? statedTo(draw, edges) : drawnText(draw, "hub", edges, 400);
        lines.push(`< ${text}`);
        client.hear(text);
      }
    }
    lines.push(client.tell());
  }
  return lines.join("\n");
}
