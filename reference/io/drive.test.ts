import { Duplex } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { after, field, instant, NEVER, type Instant } from "../core/index.ts";
import { Connection, readFrames, type Event, type StreamId } from "../http2/index.ts";
import { watch } from "./clock.ts";
import { Drive, type DriveOptions } from "./drive.ts";
import type { Owner } from "./machine.ts";

/** A transport in memory: records each write, and can be full. */
class Pipe extends Duplex {
  readonly writes: Buffer[] = [];
  isStuck = false;
  #release: (() => void) | undefined;

  constructor() {
    super({ allowHalfOpen: true, highWaterMark: 65_536 });
  }
  override _read(): void {}
  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.#take(chunk, done);
  }
  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#take(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }
  #take(octets: Buffer, done: () => void): void {
    this.writes.push(octets);
    if (this.isStuck) this.#release = done;
    else done();
  }
  unstick(): void {
    this.isStuck = false;
    this.#release?.();
  }
  get octets(): number {
    return this.writes.reduce((sum, { length }) => sum + length, 0);
  }
}

/** Answers every request as the test says, and records its calls. */
class Echo implements Owner<Event> {
  drive!: Drive<Event, Connection>;
  readonly told: string[] = [];
  readonly endings: (Error | undefined)[] = [];
  silences = 0;
  answer: (stream: StreamId) => void = (stream) => this.drive.machine.respond(stream, 200, [], true);

  handle(events: readonly Event[]): void {
    for (const event of events) {
      this.told.push(event.is);
      if (event.is === "request") this.answer(event.stream);
    }
  }
  silent(): void {
    this.silences++;
  }
  gone(error?: Error): void {
    this.endings.push(error);
  }
}

function rig(options?: DriveOptions): { pipe: Pipe; echo: Echo; drive: Drive<Event, Connection>; client: Connection } {
  const pipe = new Pipe();
  const echo = new Echo();
  const drive = new Drive(pipe, new Connection({ side: "server" }, instant(performance.now())), echo, options);
  echo.drive = drive;
  return { pipe, echo, drive, client: new Connection({ side: "client", settings: { initialWindowSize: 4_000_000 } }, instant(0)) };
}
const octetsOf = (client: Connection): Buffer => Buffer.concat(client.take());
const GET = [":method GET", ":scheme http", ":authority localhost", ":path /"].map((line) =>
  field(...(line.split(" ") as [string, string])),
);
const names = (octets: Buffer): string[] => readFrames(octets).map(({ is }) => is);
const later = (ms: number): Instant => after(instant(performance.now()), ms);

describe("writing", () => {
  test("settings, their acknowledgement and all answers to one read: one write", () => {
    const { pipe, client } = rig({ refuse: () => undefined });
    for (let i = 0; i < 10; i++) client.request(GET, true);
    pipe.emit("data", octetsOf(client));
    expect(pipe.writes).toHaveLength(1);
    expect(names(pipe.writes[0]!)).toEqual(["SETTINGS", "WINDOW_UPDATE", "SETTINGS", ...Array.from({ length: 10 }, () => "HEADERS")]);
  });

  test("settings leave at once; with `refuse` not before the peer's first octets", async () => {
    const shy = rig({ refuse: () => undefined });
    const bold = rig();
    await turn();
    expect([shy.pipe.octets, names(bold.pipe.writes[0]!)[0]]).toEqual([0, "SETTINGS"]);
  });

  test("output of another turn: one write at its end", async () => {
    const { pipe, drive, client, echo } = rig();
    const streams: StreamId[] = [];
    echo.answer = (stream) => void streams.push(stream);
    for (let i = 0; i < 3; i++) client.request(GET, true);
    pipe.emit("data", octetsOf(client));
    await turn();
    const before = pipe.writes.length;
    for (const stream of streams) {
      drive.machine.respond(stream, 200, [], true);
      drive.wake();
    }
    expect(pipe.writes).toHaveLength(before);
    await turn();
    expect(names(pipe.writes[before]!)).toEqual(["HEADERS", "HEADERS", "HEADERS"]);
    expect(pipe.writes).toHaveLength(before + 1);
  });

  test("answers of settled promises leave with the rest of the turn", async () => {
    const { pipe, drive, client, echo } = rig();
    await turn();
    echo.answer = (stream) => {
      drive.wakeAfterPromises();
      void (async () => {
        await undefined;
        await undefined;
        drive.machine.respond(stream, 200, [], true);
        drive.wake();
      })();
    };
    const before = pipe.writes.length;
    client.request(GET, true);
    client.request(GET, true);
    pipe.emit("data", octetsOf(client));
    await turn();
    expect(pipe.writes).toHaveLength(before + 1);
    expect(names(pipe.writes[before]!)).toEqual(["SETTINGS", "HEADERS", "HEADERS"]);
  });
});

describe("a full transport", () => {
  const flood = (count: number): Buffer =>
    Buffer.concat(Array.from({ length: count }, () => Buffer.from("0000080600000000000000000000000000", "hex")));

  test("content is taken as it drains, and never much more than fits", async () => {
    const { pipe, echo, drive, client } = rig();
    echo.answer = (stream) => {
      drive.machine.respond(stream, 200, [], false);
      drive.machine.data(stream, new Uint8Array(3_000_000), true);
    };
    client.request(GET, true);
    client.receive(Buffer.concat(pipe.writes), instant(0));
    pipe.emit("data", octetsOf(client));
    await turn();
    pipe.isStuck = true;
    pipe.emit("data", Buffer.from("000004080000000000003d0900", "hex"));
    await turn();
    const stuckAt = pipe.octets;
    expect(stuckAt).toBeLessThan(1_000_000);
    await turn();
    expect(pipe.octets).toBe(stuckAt);
    pipe.unstick();
    while (!echo.told.includes("done")) await turn();
    expect(pipe.octets).toBeGreaterThan(3_000_000);
  });

  test("a peer that sends requests and reads nothing: reading pauses, and it is dropped after a while with an error", async () => {
    const { pipe, echo, drive, client } = rig({ stallMs: 1_000 });
    pipe.emit("data", octetsOf(client));
    await turn();
    pipe.isStuck = true;
    // Answers to PINGs: more than the transport accepts, then more than may be queued.
    for (let i = 0; i < 20 && !pipe.isPaused(); i++) {
      pipe.emit("data", flood(100));
      drive.machine.settings({ maxConcurrentStreams: i });
      for (let j = 0; j < 2_000; j++) drive.machine.ping(new Uint8Array(8));
      drive.wake();
      await turn();
    }
    expect(pipe.isPaused()).toBe(true);
    drive.due(later(500));
    expect(pipe.destroyed).toBe(false);
    drive.due(later(1_001));
    await turn();
    expect(echo.endings.map((error) => error?.message)).toEqual(["the peer has read nothing for 1 seconds"]);
  });

  test("reading resumes when it drains", async () => {
    const { pipe, drive, client } = rig();
    pipe.emit("data", octetsOf(client));
    await turn();
    pipe.isStuck = true;
    for (let i = 0; i < 20 && !pipe.isPaused(); i++) {
      for (let j = 0; j < 4_000; j++) drive.machine.ping(new Uint8Array(8));
      drive.wake();
      await turn();
      pipe.emit("data", flood(1));
    }
    expect(pipe.isPaused()).toBe(true);
    pipe.unstick();
    await turn();
    expect(pipe.isPaused()).toBe(false);
  });
});

describe("endings", () => {
  test("after the last output: FIN, and further input is discarded for a while", async () => {
    const { pipe, echo, client, drive } = rig();
    pipe.emit("data", Buffer.from("not HTTP/2 at all, and no HTTP/1.1"));
    await turn();
    expect(echo.told).toEqual(["closed"]);
    expect(names(Buffer.concat(pipe.writes)).at(-1)).toBe("GOAWAY");
    expect([pipe.writableEnded, pipe.destroyed]).toEqual([true, false]);
    pipe.emit("data", octetsOf(client));
    expect(echo.told).toEqual(["closed"]);
    expect(drive.deadline).not.toBe(NEVER);
    drive.due(later(1_000));
    await turn();
    expect([pipe.destroyed, echo.endings]).toEqual([true, [undefined]]);
  });

  test("a peer that keeps sending after the end is cut off", async () => {
    const { pipe } = rig();
    pipe.emit("data", Buffer.from("not HTTP/2 at all, and no HTTP/1.1"));
    await turn();
    // The rest of a large message may be on its way: the peer reads our last output after it.
    for (let i = 0; i < 128; i++) pipe.emit("data", Buffer.alloc(65_536));
    expect(pipe.destroyed).toBe(false);
    pipe.emit("data", Buffer.alloc(1));
    expect(pipe.destroyed).toBe(true);
  });

  test("the end of the peer is reported to the machine", async () => {
    const { pipe, echo, client } = rig();
    pipe.emit("data", octetsOf(client));
    pipe.push(null);
    pipe.resume();
    await turn();
    await turn();
    expect(echo.told.at(-1)).toBe("closed");
    expect(pipe.writableEnded).toBe(true);
  });

  test("a transport error: gone is called once, and no deadline is watched", async () => {
    const { pipe, echo, drive, client } = rig();
    pipe.emit("data", octetsOf(client));
    expect(watch.has(drive)).toBe(true);
    pipe.destroy(new Error("reset by peer"));
    await turn();
    expect(echo.endings.map((error) => error?.message)).toEqual(["reset by peer"]);
    expect([watch.has(drive), drive.deadline]).toEqual([false, NEVER]);
    drive.machine.ping(new Uint8Array(8));
    drive.wake();
    await turn();
  });

  test("shutdown before the first octets of the peer: drops the transport at once", async () => {
    const { pipe, drive } = rig({ refuse: () => undefined });
    drive.shutdown();
    await turn();
    expect([pipe.destroyed, pipe.octets]).toEqual([true, 0]);
  });
});

describe("deadlines", () => {
  test("a deadline of the machine applies, even before its first output", async () => {
    const { pipe, echo, drive } = rig({ refuse: () => undefined });
    expect(drive.deadline).toBeLessThan(later(10_001));
    drive.due(later(10_001));
    await turn();
    expect(echo.told).toEqual(["closed"]);
    expect(names(Buffer.concat(pipe.writes))).toEqual(["SETTINGS", "WINDOW_UPDATE", "GOAWAY"]);
  });

  test("silence: the owner is called each time it lasts idleMs", () => {
    const { echo, drive } = rig({ idleMs: 2_000 });
    drive.due(later(1_000));
    expect(echo.silences).toBe(0);
    drive.due(later(2_001));
    expect(echo.silences).toBe(1);
    drive.due(later(3_000));
    expect(echo.silences).toBe(1);
    drive.due(later(4_500));
    expect(echo.silences).toBe(2);
  });
});

describe("refuse and filter", () => {
  test("refuse: its answer is written, and nothing else", async () => {
    const { pipe, echo } = rig({ refuse: (first) => Buffer.from(`no ${Buffer.from(first).toString()}`) });
    pipe.emit("data", Buffer.from("thanks"));
    await turn();
    expect([Buffer.concat(pipe.writes).toString(), pipe.writableEnded, echo.told]).toEqual(["no thanks", true, []]);
  });

  test("filter: gets all octets of both directions, decides what passes, and is notified of the end", async () => {
    const seen: string[] = [];
    const { pipe, echo, client } = rig({
      filter: (link) => ({
        outgoing: (pieces) => {
          seen.push(`out ${names(Buffer.concat(pieces)).join(" ")}`);
          link.write([Buffer.from("changed")]);
        },
        incoming: (bytes) => {
          seen.push(`in ${bytes.length}`);
          link.receive(bytes);
        },
        closed: () => seen.push("closed"),
      }),
    });
    client.request(GET, true);
    const octets = octetsOf(client);
    pipe.emit("data", octets);
    await turn();
    expect(echo.told).toContain("request");
    expect(Buffer.concat(pipe.writes).toString()).toMatch(/^(?:changed)+$/);
    pipe.destroy();
    await turn();
    expect(seen).toEqual([`in ${octets.length}`, "out SETTINGS WINDOW_UPDATE SETTINGS HEADERS", "closed"]);
  });

  test("filter that holds back the end: reading goes on without a deadline, until the filter ends", async () => {
    let end: (() => void) | undefined;
    const { pipe, drive } = rig({
      filter: (link) => ({
        outgoing: (pieces) => link.write(pieces),
        incoming: (bytes) => link.receive(bytes),
        finish: (done) => (end = done),
      }),
    });
    pipe.emit("data", Buffer.from("not HTTP/2 at all, and no HTTP/1.1"));
    await turn();
    for (let i = 0; i < 20; i++) pipe.emit("data", Buffer.alloc(65_536));
    expect([pipe.writableEnded, pipe.destroyed, drive.deadline]).toEqual([false, false, NEVER]);
    end?.();
    expect([pipe.writableEnded, pipe.destroyed]).toEqual([true, false]);
    expect(drive.deadline).not.toBe(NEVER);
    drive.due(later(1_000));
    expect(pipe.destroyed).toBe(true);
  });

  test("filter that never ends, and a peer that has: drops the transport at last", async () => {
    const { pipe, drive } = rig({
      filter: (link) => ({ outgoing: (pieces) => link.write(pieces), incoming: (bytes) => link.receive(bytes), finish: () => {} }),
    });
    pipe.emit("data", Buffer.from("not HTTP/2 at all, and no HTTP/1.1"));
    await turn();
    pipe.push(null);
    pipe.resume();
    await turn();
    await turn();
    expect([pipe.writableEnded, pipe.destroyed]).toEqual([false, false]);
    expect(drive.deadline).toBeGreaterThan(later(2_000));
    expect(drive.deadline).toBeLessThan(later(120_001));
    drive.due(later(120_001));
    expect(pipe.destroyed).toBe(true);
  });
});
