import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { NEVER } from "../core/index.ts";
import { watch } from "./clock.ts";
import { Drive } from "./drive.ts";
import type { Happening, Machine, Owner } from "./machine.ts";

/** Handing over a socket in the middle of a stream. */

const left: (() => void)[] = [];
afterEach(() => {
  for (const clean of left.splice(0).toReversed()) clean();
});

async function sockets(): Promise<readonly [near: Socket, far: Socket]> {
  const server = createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const far = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [near] = (await once(server, "connection")) as [Socket];
  left.push(
    () => server.close(),
    () => near.destroy(),
    () => far.destroy(),
  );
  return [near, far];
}

class Lines implements Machine {
  readonly happens: Happening[] = [];
  readonly deadline = NEVER;
  readonly queued = 0;
  readonly says: Buffer[] = [];
  readonly heard: string[] = [];
  receive(bytes: Uint8Array): readonly Happening[] {
    this.heard.push(Buffer.from(bytes).toString());
    return [{ is: "line" }];
  }
  take(): readonly Uint8Array[] {
    return this.says.splice(0);
  }
  tick(): readonly Happening[] {
    return [];
  }
  ended(): readonly Happening[] {
    return [];
  }
  events(): readonly Happening[] {
    return this.happens.splice(0);
  }
  shutdown(): void {}
}

test("handOver: the machine's output is written first, and neither it nor its owner is called again", async () => {
  const [near, far] = await sockets();
  const machine = new Lines();
  let isGone = false;
  const owner: Owner = {
    handle: () => {
      machine.says.push(Buffer.from("switched "));
      const socket = drive.handOver();
      expect(socket.isPaused()).toBe(true);
      socket
        .on("data", (bytes: Buffer) => socket.write(bytes.toString().toUpperCase()))
        .on("end", () => socket.end())
        .resume();
    },
    silent: () => {},
    gone: () => (isGone = true),
  };
  const drive = new Drive(near, machine, owner, { idleMs: 1_000 });
  far.write("go");
  const [first] = (await once(far, "data")) as [Buffer];
  expect(first.toString()).toBe("switched ");
  far.write("more");
  const [second] = (await once(far, "data")) as [Buffer];
  expect([second.toString(), machine.heard]).toEqual(["MORE", ["go"]]);
  expect([watch.has(drive), drive.deadline]).toEqual([false, NEVER]);
  drive.destroy();
  expect(near.destroyed).toBe(false);
  far.end();
  await once(near, "close");
  expect(isGone).toBe(false);
});

test("feed: octets come before those of the socket", async () => {
  const [near, far] = await sockets();
  const machine = new Lines();
  const heard = Promise.withResolvers<void>();
  const owner: Owner = { handle: () => machine.heard.length === 2 && heard.resolve(), silent: () => {}, gone: () => {} };
  const drive = new Drive(near, machine, owner);
  drive.feed(Buffer.from("first"));
  far.write("second");
  await heard.promise;
  expect(machine.heard).toEqual(["first", "second"]);
  drive.destroy();
});

test("a socket handed over paused is read by its next drive", async () => {
  const [near, far] = await sockets();
  near.pause();
  const machine = new Lines();
  const heard = Promise.withResolvers<void>();
  const drive = new Drive(near, machine, { handle: () => heard.resolve(), silent: () => {}, gone: () => {} });
  far.write("go");
  await heard.promise;
  expect(machine.heard).toEqual(["go"]);
  drive.destroy();
});

test("output taken before the handover is written before the output of the next drive", async () => {
  const [near, far] = await sockets();
  const machine = new Lines();
  const drive: Drive = new Drive(near, machine, { handle: () => void drive.handOver().write("mine"), silent: () => {}, gone: () => {} });
  machine.says.push(Buffer.from("its "));
  machine.happens.push({ is: "switched" });
  drive.wake();
  let text = "";
  far.on("data", (bytes: Buffer) => (text += bytes.toString()));
  while (text.length < 8) await once(far, "data");
  expect(text).toBe("its mine");
});
