import { Duplex } from "node:stream";
import { expect, test } from "vitest";
import { after, NEVER } from "../core/index.ts";
import { Drive } from "./drive.ts";
import type { Machine, Owner } from "./machine.ts";

/** A full transport, to the octet and to the millisecond, with a scripted machine. */

class Pipe extends Duplex {
  #release: (() => void) | undefined;
  isStuck = false;

  constructor() {
    super({ allowHalfOpen: true, writableHighWaterMark: 1 });
  }
  override _read(): void {}
  override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
    if (this.isStuck) this.#release = done;
    else done();
  }
  unstick(): void {
    this.isStuck = false;
    this.#release?.();
  }
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function rig(stallMs = 7_000) {
  const says: Buffer[] = [];
  const heard: string[] = [];
  const machine = {
    deadline: NEVER,
    queued: 0,
    wants: true,
    take: () => says.splice(0),
    events: () => [],
    receive: (bytes: Uint8Array) => {
      heard.push(Buffer.from(bytes).toString());
      return [];
    },
    tick: () => [],
    ended: () => [],
    shutdown: () => {},
  };
  const endings: (Error | undefined)[] = [];
  const owner: Owner = { handle: () => {}, silent: () => {}, gone: (error) => endings.push(error) };
  const pipe = new Pipe();
  const drive = new Drive(pipe, machine as Machine, owner, { stallMs });
  await settled();
  const fill = async (): Promise<void> => {
    pipe.isStuck = true;
    says.push(Buffer.from("answer"));
    drive.wake();
    await settled();
  };
  const hear = async (text: string): Promise<void> => {
    pipe.push(text);
    await settled();
  };
  return { pipe, drive, machine, heard, endings, fill, hear };
}

test("a full transport with more than 64 KiB queued: reading pauses until there is room", async () => {
  const { pipe, drive, machine, heard, fill, hear } = await rig();
  await fill();
  machine.queued = 65_536;
  await hear("a");
  expect(pipe.isPaused()).toBe(false);
  machine.queued = 65_537;
  await hear("b");
  expect(pipe.isPaused()).toBe(true);
  await hear("c");
  expect(heard).toEqual(["a", "b"]);
  machine.queued = 0;
  pipe.unstick();
  await settled();
  expect(heard).toEqual(["a", "b", "c"]);
  drive.destroy();
});

test("queued output alone does not pause reading", async () => {
  const { pipe, drive, machine, heard, hear } = await rig();
  machine.queued = 1_000_000;
  await hear("a");
  await hear("b");
  expect(pipe.isPaused()).toBe(false);
  expect(heard).toEqual(["a", "b"]);
  drive.destroy();
});

test("a full transport has a deadline until there is room", async () => {
  const { pipe, drive, fill } = await rig();
  expect(drive.deadline).toBe(NEVER);
  await fill();
  expect(drive.deadline).not.toBe(NEVER);
  pipe.unstick();
  await settled();
  expect(drive.deadline).toBe(NEVER);
  drive.destroy();
});

test("a peer that reads nothing is dropped at the deadline, not before, and gone is called once", async () => {
  const { pipe, drive, endings, fill } = await rig(7_000);
  await fill();
  const at = drive.deadline;
  drive.due(after(at, -1));
  expect(pipe.destroyed).toBe(false);
  drive.due(at);
  drive.destroy();
  await settled();
  expect(endings).toEqual([new Error("the peer has read nothing for 7 seconds")]);
});

test("the earlier of two deadlines applies", async () => {
  const { drive, machine, fill } = await rig();
  await fill();
  const own = drive.deadline;
  machine.deadline = after(own, -1_000);
  expect(drive.deadline).toBe(after(own, -1_000));
  machine.deadline = after(own, 1_000);
  expect(drive.deadline).toBe(own);
  drive.destroy();
});

test("reading pauses while the machine wants nothing", async () => {
  const { pipe, drive, machine, heard, hear } = await rig();
  machine.wants = false;
  await hear("a");
  await hear("b");
  expect([heard, pipe.isPaused()]).toEqual([["a"], true]);
  machine.wants = true;
  drive.wake();
  await settled();
  expect([heard, pipe.isPaused()]).toEqual([["a", "b"], false]);
  drive.destroy();
});

test("room in the transport does not resume reading for a machine that wants nothing", async () => {
  const { pipe, drive, machine, heard, fill, hear } = await rig();
  await fill();
  machine.wants = false;
  await hear("a");
  await hear("b");
  pipe.unstick();
  await settled();
  expect([heard, pipe.isPaused()]).toEqual([["a"], true]);
  drive.destroy();
});
