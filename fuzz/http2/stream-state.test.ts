import fc, { assert } from "fast-check";
import { test } from "vitest";
import type { StreamId } from "../../reference/http2/index.ts";
import { data, headers, POST, raw, rst, server, windowUpdate, type Rig } from "../../reference/http2/testing.ts";

/**
 * A server and a model of its streams, written from rfc9113#5.1 and independent of the tables in the reference: each side of a stream
 * is before, within or after its message, or the stream was reset.
 */
type Half = "before" | "within" | "after";
type Life = { peer: Half; ours: Half; reset?: "peer" | "us" };
type Model = { streams: Map<number, Life>; highest: number; over: boolean };
type Command = fc.Command<Model, Rig>;

const IDS = [1, 3, 5, 7];
const ALIVE: Life = { peer: "before", ours: "before" };

/** The required answer: nothing, RST_STREAM with a code, or GOAWAY with a code. */
type Answer = "" | `RST_STREAM ${number} ${string}` | `GOAWAY ${string}`;

function answerOf(rig: Rig): string {
  const frames = rig.frames().filter((line) => line.startsWith("RST_STREAM") || line.startsWith("GOAWAY"));
  return frames.map((line) => line.replace(/^GOAWAY \d+/, "GOAWAY")).join(", ");
}

function lifeOf(model: Model, id: number): Life | "idle" | "skipped" {
  return model.streams.get(id) ?? (id > model.highest ? "idle" : "skipped");
}

/** A frame that carries part of a message: the answer if it is illegal at this point. */
function message(model: Model, id: number, kind: "HEADERS" | "DATA", end: boolean): Answer {
  const life = lifeOf(model, id);
  if (life === "idle") {
    if (kind === "DATA") return "GOAWAY PROTOCOL_ERROR";
    model.streams.set(id, { ...ALIVE, peer: end ? "after" : "within" });
    model.highest = id;
    return "";
  }
  if (life === "skipped") {
    if (kind === "HEADERS") return "GOAWAY PROTOCOL_ERROR";
    model.streams.set(id, { ...ALIVE, reset: "us" });
    return `RST_STREAM ${id} STREAM_CLOSED`;
  }
  if (life.reset === "us") return "";
  if (life.reset === "peer") {
    // At most one error per stream (rfc9113#5.4).
    life.reset = "us";
    return `RST_STREAM ${id} STREAM_CLOSED`;
  }
  if (life.peer === "after") {
    if (life.ours === "after") return "GOAWAY STREAM_CLOSED";
    life.reset = "us";
    return `RST_STREAM ${id} STREAM_CLOSED`;
  }
  if (kind === "HEADERS" && !end) {
    life.reset = "us";
    return `RST_STREAM ${id} PROTOCOL_ERROR`;
  }
  if (end) life.peer = "after";
  return "";
}

/** RST_STREAM and WINDOW_UPDATE: an error on an idle stream only. */
function management(model: Model, id: number, isReset: boolean): Answer {
  const life = lifeOf(model, id);
  if (life === "idle") return "GOAWAY PROTOCOL_ERROR";
  const isAlive = life !== "skipped" && life.reset === undefined && !(life.peer === "after" && life.ours === "after");
  if (isReset && isAlive) life.reset = "peer";
  return "";
}

function command(name: string, expected: (model: Model) => Answer, act: (rig: Rig) => void): Command {
  return {
    check: (model) => !model.over,
    run: (model, rig) => {
      const answer = expected(model);
      act(rig);
      const got = answerOf(rig);
      if (got !== answer) throw new Error(`${name}: expected "${answer}", got "${got}"`);
      model.over = answer.startsWith("GOAWAY");
    },
    toString: () => name,
  };
}
/** An action of the server itself: only if `may` allows it in this state, and without an answer. */
function own(name: string, id: number, may: (life: Life) => boolean, act: (rig: Rig, life: Life) => void): Command {
  const alive = (model: Model): Life | undefined => {
    const life = model.streams.get(id);
    const isOver = life === undefined || life.reset !== undefined || (life.peer === "after" && life.ours === "after");
    return isOver || !may(life) ? undefined : life;
  };
  return {
    check: (model) => !model.over && alive(model) !== undefined,
    run: (model, rig) => act(rig, alive(model)!),
    toString: () => `${name} ${id}`,
  };
}

const id = fc.constantFrom(...IDS);
const end = fc.boolean();
const commands = fc.commands(
  [
    fc.tuple(id, end).map(([s, e]) =>
      command(
        `HEADERS ${s} ${e}`,
        (m) => message(m, s, "HEADERS", e),
        (rig) => rig.events(headersOn(rig, s, e)),
      ),
    ),
    fc.tuple(id, end).map(([s, e]) =>
      command(
        `DATA ${s} ${e}`,
        (m) => message(m, s, "DATA", e),
        (rig) => rig.events(data(s, 1, { end: e })),
      ),
    ),
    id.map((s) =>
      command(
        `RST_STREAM ${s}`,
        (m) => management(m, s, true),
        (rig) => rig.events(rst(s)),
      ),
    ),
    id.map((s) =>
      command(
        `WINDOW_UPDATE ${s}`,
        (m) => management(m, s, false),
        (rig) => rig.events(windowUpdate(s, 1)),
      ),
    ),
    id.map((s) =>
      command(
        `PRIORITY ${s}`,
        () => "",
        (rig) => rig.events(raw(2, 0, s, "0000000000")),
      ),
    ),
    fc.tuple(id, end).map(([s, e]) =>
      own(
        `respond ${e}`,
        s,
        (life) => life.ours === "before",
        (rig, life) => {
          rig.c.respond(s as StreamId, 200, [], e);
          life.ours = e ? "after" : "within";
        },
      ),
    ),
    fc.tuple(id, end).map(([s, e]) =>
      own(
        `data ${e}`,
        s,
        (life) => life.ours === "within",
        (rig, life) => {
          rig.c.data(s as StreamId, new Uint8Array(3), e);
          if (e) life.ours = "after";
        },
      ),
    ),
    id.map((s) =>
      own(
        "reset",
        s,
        () => true,
        (rig, life) => {
          rig.c.reset(s as StreamId, "CANCEL");
          life.reset = "us";
          rig.frames();
        },
      ),
    ),
  ],
  { maxCommands: 25 },
);

/** The streams of each rig that have had HEADERS: the first is a request, later ones are trailers. */
const begun = new WeakMap<Rig, Set<number>>();
function headersOn(rig: Rig, stream: number, isEnd: boolean): ReturnType<typeof headers> {
  const streams = begun.get(rig) ?? new Set();
  begun.set(rig, streams);
  const isFirst = !streams.has(stream);
  streams.add(stream);
  return headers(stream, isFirst ? POST : [["x", "y"]], { end: isEnd });
}

test("a server agrees with the model of its streams under any frames and answers", () => {
  assert(
    fc.property(commands, (list) => {
      fc.modelRun(() => ({ model: { streams: new Map<number, Life>(), highest: 0, over: false }, real: server() }), list);
    }),
    { numRuns: 600 },
  );
});
