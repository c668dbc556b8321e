import { describe, expect, test } from "vitest";
import { Misuse } from "../../core/index.ts";
import { FAULTS, type FaultName } from "../faults.ts";
import { CELLS, IGNORED, Input, isClosed, PACKED, printTable, refusal, State, verdictOf, type InputName, type StateName } from "./state.ts";
import {
  client,
  data,
  fieldList,
  GET,
  get,
  goaway,
  headers,
  id,
  ping,
  post,
  POST,
  promise,
  rst,
  server,
  windowUpdate,
  type Rig,
} from "../testing.ts";

const OK = [[":status", "200"]] as const;
const TRAILERS = [["x", "y"]] as const;
const wanting = { settings: { enablePush: true } };

/** A connection with a stream in some state, and the stream's number. */
type Scene = { readonly rig: Rig; readonly stream: number };
const scene = (rig: Rig, stream: number, ...steps: readonly (() => unknown)[]): Scene => {
  for (const step of steps) step();
  rig.frames();
  rig.told();
  return { rig, stream };
};

/** How a server's stream gets into each state that it can be in. */
const ON_SERVER: Readonly<Partial<Record<StateName, (rig: Rig) => Scene>>> = {
  idle: (rig) => scene(rig, 5),
  reservedLocal: (rig) =>
    scene(
      rig,
      2,
      () => rig.events(get(1)),
      () => rig.c.push(id(1), fieldList(GET)),
    ),
  open: (rig) => scene(rig, 1, () => rig.events(post(1))),
  halfClosedLocal: (rig) =>
    scene(
      rig,
      1,
      () => rig.events(post(1)),
      () => rig.c.respond(id(1), 200, [], true),
    ),
  halfClosedRemote: (rig) => scene(rig, 1, () => rig.events(get(1))),
  ended: (rig) =>
    scene(
      rig,
      1,
      () => rig.events(get(1)),
      () => rig.c.respond(id(1), 200, [], true),
    ),
  resetByPeer: (rig) => scene(rig, 1, () => rig.events(post(1), rst(1))),
  resetByUs: (rig) =>
    scene(
      rig,
      1,
      () => rig.events(post(1)),
      () => rig.c.reset(id(1), "CANCEL"),
    ),
  forgotten: (rig) => scene(rig, 1, () => rig.events(get(3))),
};
const ask = (rig: Rig, end = true): unknown => rig.c.request(fieldList(end ? GET : POST), end);
/** The same for a client's stream. */
const ON_CLIENT: Readonly<Partial<Record<StateName, (rig: Rig) => Scene>>> = {
  idle: (rig) => scene(rig, 2, () => ask(rig)),
  reservedRemote: (rig) =>
    scene(
      rig,
      2,
      () => ask(rig),
      () => rig.events(promise(1, 2)),
    ),
  open: (rig) => scene(rig, 1, () => ask(rig, false)),
  halfClosedLocal: (rig) => scene(rig, 1, () => ask(rig)),
  halfClosedRemote: (rig) =>
    scene(
      rig,
      1,
      () => ask(rig, false),
      () => rig.events(headers(1, OK)),
    ),
  ended: (rig) =>
    scene(
      rig,
      1,
      () => ask(rig),
      () => rig.events(headers(1, OK)),
    ),
  resetByPeer: (rig) =>
    scene(
      rig,
      1,
      () => ask(rig),
      () => rig.events(rst(1)),
    ),
  resetByUs: (rig) =>
    scene(
      rig,
      1,
      () => ask(rig),
      () => rig.c.reset(id(1), "CANCEL"),
    ),
  forgotten: (rig) =>
    scene(
      rig,
      1,
      () => ask(rig),
      () => rig.c.reset(id(1), "CANCEL"),
      () => ask(rig),
      () => rig.c.reset(id(3), "CANCEL"),
    ),
};

type Act = { readonly side: "server" | "client"; readonly act: (scene: Scene) => unknown };
const atServer = (act: Act["act"]): Act => ({ side: "server", act });
const atClient = (act: Act["act"]): Act => ({ side: "client", act });
/** How each input is caused from outside, in most states. */
const USUAL: Readonly<Record<InputName, Act>> = {
  "recv HEADERS": atServer(({ rig, stream }) => rig.events(rig.c.accepting || stream === 5 ? post(stream) : headers(stream, TRAILERS))),
  "recv DATA": atServer(({ rig, stream }) => rig.events(data(stream, 1))),
  "recv END_STREAM": atServer(({ rig, stream }) => rig.events(data(stream, 0, { end: true }))),
  "recv RST_STREAM": atServer(({ rig, stream }) => rig.events(rst(stream))),
  "recv WINDOW_UPDATE": atServer(({ rig, stream }) => rig.events(windowUpdate(stream, 1))),
  "recv PUSH_PROMISE": atClient(({ rig, stream }) => rig.events(promise(stream, 8))),
  // On another stream than the promised one, whose state does not matter.
  "recv promise": atClient(({ rig, stream }) => {
    const parent = rig.c.request(fieldList(GET), true);
    return rig.events(promise("stream" in parent ? parent.stream : 0, stream));
  }),
  "recv GOAWAY": atClient(({ rig }) => rig.events(goaway(0))),
  "send HEADERS": atServer(({ rig, stream }) => rig.c.respond(id(stream), 200, [], false)),
  "send DATA": atServer(({ rig, stream }) => rig.c.data(id(stream), new Uint8Array(1), false)),
  "send END_STREAM": atServer(({ rig, stream }) => rig.c.respond(id(stream), 200, [], true)),
  "send RST_STREAM": atServer(({ rig, stream }) => rig.c.reset(id(stream), "CANCEL")),
  "send WINDOW_UPDATE": atServer(({ rig, stream }) => rig.c.consumed(id(stream), 1)),
  "send PUSH_PROMISE": atServer(({ rig, stream }) => rig.c.push(id(stream), fieldList(GET))),
  "send promise": atServer(({ rig }) => rig.events(get(1)).length > 0 && rig.c.push(id(1), fieldList(GET))),
  "send GOAWAY": atServer(({ rig, stream }) => {
    rig.events(post(1));
    rig.c.shutdown();
    return rig.events(ping(true, 0x5a), get(stream));
  }),
};
const wrongCredit = atServer(({ rig, stream }) => rig.events(windowUpdate(stream, 0)));
const responding = atServer(({ rig, stream }) => {
  rig.c.respond(id(stream), 200, [], false);
  return rig.c.data(id(stream), new Uint8Array(1), false);
});
const asking = atClient(({ rig }) => rig.c.request(fieldList(GET), true));
const trailing = ({ rig, stream }: Scene): unknown => rig.c.trailers(id(stream), []);
/** The combinations that need something else. */
const SPECIAL: Readonly<Record<string, Act>> = {
  "idle + send HEADERS": asking,
  "reservedRemote + recv HEADERS": atClient(({ rig }) => rig.events(headers(2, OK))),
  "reservedRemote + recv DATA": atClient(USUAL["recv DATA"].act),
  "reservedRemote + recv RST_STREAM": atClient(USUAL["recv RST_STREAM"].act),
  "reservedRemote + recv WINDOW_UPDATE": atClient(USUAL["recv WINDOW_UPDATE"].act),
  "reservedRemote + send HEADERS": atClient(trailing),
  "reservedRemote + send DATA": atClient(USUAL["send DATA"].act),
  "reservedRemote + send RST_STREAM": atClient(USUAL["send RST_STREAM"].act),
  "reservedRemote + send WINDOW_UPDATE": atClient(USUAL["send WINDOW_UPDATE"].act),
  "reservedLocal + recv GOAWAY": atServer(USUAL["recv GOAWAY"].act),
  "open + send DATA": responding,
  "halfClosedRemote + send DATA": responding,
  "halfClosedLocal + send HEADERS": atServer(trailing),
  // An answer to a stream error of any kind.
  "ended + send RST_STREAM": wrongCredit,
  "resetByPeer + send RST_STREAM": wrongCredit,
  "resetByUs + send RST_STREAM": wrongCredit,
  "forgotten + send RST_STREAM": wrongCredit,
};

function actOf(state: StateName, input: InputName): { readonly act: () => unknown; readonly rig: Rig } {
  const { side, act } = SPECIAL[`${state} + ${input}`] ?? USUAL[input];
  const rig = side === "server" ? server() : client({ ...wanting, limits: { rememberedStreams: state === "forgotten" ? 1 : 4 } });
  const setting = (side === "server" ? ON_SERVER : ON_CLIENT)[state];
  if (setting === undefined) throw new Error(`no ${side} has a stream in state ${state}`);
  const made = setting(rig);
  return { rig, act: () => act(made) };
}

const cells = CELLS.map(({ state, input, cell }) => ({ name: `${state} + ${input}`, state, input, cell }));

describe("stream states: the table is the law", () => {
  test.each(cells)("$name is read when a connection meets it", ({ state, input }) => {
    const { act } = actOf(state, input);
    const packed = PACKED as Int8Array;
    const at = (State[state] << 4) | Input[input];
    const before = packed[at]!;
    // A cell without an entry throws as soon as it is read.
    packed[at] = -128;
    try {
      expect(act).toThrow(`a stream in state ${state} met ${input}`);
    } finally {
      packed[at] = before;
    }
  });

  test.each(cells.filter(({ cell }) => typeof cell !== "string"))("$name is refused on the wire", ({ state, input, cell }) => {
    const { act, rig } = actOf(state, input);
    const name = (typeof cell === "string" ? "" : cell.refuse) as FaultName;
    const events = act() as readonly string[];
    expect(rig.frames().at(-1)).toContain(FAULTS[name].code);
    // A closed stream has no further events.
    const isSilent = isClosed(State[state]) && FAULTS[name].scope === "stream";
    expect(events.at(-1)?.endsWith(` ${name}`)).toBe(isSilent ? undefined : true);
  });

  test.each(cells.filter(({ cell }) => cell === "misuse"))("$name is refused to the caller", ({ state, input }) => {
    const { act, rig } = actOf(state, input);
    expect(act).toThrow(Misuse);
    expect(rig.frames()).toEqual([]);
  });

  test("a combination without a cell throws a Bug", () => {
    expect(() => verdictOf(State.idle, Input["send DATA"])).toThrow("a stream in state idle met send DATA");
  });

  /** Printed completely, one cell a line, so that a changed cell is one changed line in review. */
  test("the table is the reviewed one", () => {
    expect(printTable()).toMatchSnapshot();
  });
});

describe("stream states: the table as a graph", () => {
  test("a closed stream stays closed", () => {
    for (const { state, input } of cells.filter(({ state }) => isClosed(State[state]))) {
      const verdict = verdictOf(State[state], Input[input]);
      expect(verdict < 0 || isClosed(verdict as State), `${state} + ${input}`).toBe(true);
    }
  });

  test("every state but forgotten is reached from idle", () => {
    const seen = new Set<number>([State.idle]);
    for (const from of seen) {
      for (const { state, input } of cells) {
        if (State[state] !== from) continue;
        const verdict = verdictOf(State[state], Input[input]);
        if (verdict >= 0) seen.add(verdict);
      }
    }
    expect([...seen].sort((a, b) => a - b)).toEqual(Object.values(State).filter((state) => state !== State.forgotten));
  });

  test("refusal(): a verdict that refuses nothing has no fault", () => {
    expect([refusal(State.open), refusal(IGNORED), refusal(verdictOf(State.idle, Input["recv DATA"]))]).toEqual([
      undefined,
      undefined,
      "frameOnIdleStream",
    ]);
  });
});
