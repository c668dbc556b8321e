import type { Socket } from "node:dgram";
import { networkInterfaces } from "node:os";
import { afterEach, expect, test } from "vitest";
import { after, NEVER, type Instant } from "../core/index.ts";
import { now } from "./clock.ts";
import { DatagramDrive } from "./datagram-drive.ts";
import type { Datagram, DatagramMachine } from "./machine.ts";
import type { Place } from "./tcp.ts";
import { bindUdp } from "./udp.ts";

type Event = { readonly is: "arrived"; readonly text: string; readonly from: Place } | { readonly is: "due" } | { readonly is: "closed" };

/** Reports each datagram, answers those that end with a question mark, and once says "tick" when its deadline has passed. */
class Echo implements DatagramMachine<Event> {
  deadline: Instant = NEVER;
  #out: Datagram[] = [];
  #happened: Event[] = [];

  receive(bytes: Uint8Array, from: Place): readonly Event[] {
    const text = Buffer.from(bytes).toString();
    if (text.endsWith("?")) this.say(text.slice(0, -1), from);
    return [{ is: "arrived", text, from }];
  }
  tick(at: Instant): readonly Event[] {
    if (at < this.deadline) return [];
    this.deadline = NEVER;
    return [{ is: "due" }];
  }
  events(): readonly Event[] {
    return this.#happened.splice(0);
  }
  take(): readonly Datagram[] {
    return this.#out.splice(0, 16);
  }
  say(text: string, to: Place): void {
    this.#out.push({ bytes: Buffer.from(text), to });
  }
  get left(): number {
    return this.#out.length;
  }
  shutdown(): void {
    this.#happened.push({ is: "closed" });
  }
}

const open: { destroy(): void }[] = [];
afterEach(() => {
  for (const drive of open.splice(0)) drive.destroy();
});

async function end(host = "127.0.0.1") {
  const socket: Socket = await bindUdp({ host, port: 0 });
  const machine = new Echo();
  const seen: Event[] = [];
  const gone = Promise.withResolvers<Error | undefined>();
  let heard = Promise.withResolvers<void>();
  const handle = (events: readonly Event[]): void => {
    seen.push(...events);
    heard.resolve();
  };
  const drive = new DatagramDrive<Event, Echo>(socket, machine, { handle, gone: (error) => gone.resolve(error) });
  open.push(drive);
  const until = async (is: Event["is"], count = 1): Promise<Event[]> => {
    for (;;) {
      const found = seen.filter((event) => event.is === is);
      if (found.length >= count) return found;
      heard = Promise.withResolvers<void>();
      await heard.promise;
    }
  };
  const place: Place = { host, port: socket.address().port };
  return { drive, machine, place, until, gone: gone.promise };
}

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1") === true);
test.each(hasIpv6 ? ["127.0.0.1", "::1"] : ["127.0.0.1"])(
  "a datagram reaches the other end at %s, and its answer comes back",
  async (host) => {
    const [one, other] = [await end(host), await end(host)];
    one.machine.say("are you there?", other.place);
    one.drive.wake();
    expect(await other.until("arrived")).toEqual([{ is: "arrived", text: "are you there?", from: one.place }]);
    expect(await one.until("arrived")).toEqual([{ is: "arrived", text: "are you there", from: other.place }]);
  },
);

test("one endpoint keeps its peers apart", async () => {
  const [server, one, other] = [await end(), await end(), await end()];
  one.machine.say("one?", server.place);
  other.machine.say("other?", server.place);
  one.drive.wakeAfterPromises();
  other.drive.wakeAfterPromises();
  expect(await one.until("arrived")).toMatchObject([{ text: "one" }]);
  expect(await other.until("arrived")).toMatchObject([{ text: "other" }]);
  expect(new Set((await server.until("arrived", 2)).map((event) => (event as { from: Place }).from.port))).toEqual(
    new Set([one.place.port, other.place.port]),
  );
});

test("a deadline ticks the machine, and none does not", async () => {
  const one = await end();
  one.machine.deadline = after(now(), 20);
  one.drive.wake();
  await one.until("due");
  expect(one.machine.deadline).toBe(NEVER);
});

test("a deadline that moves is looked at again: closer it rings then, and not before a later one", async () => {
  const one = await end();
  const set = (ms: number): Instant => {
    one.machine.deadline = after(now(), ms);
    one.drive.wake();
    return one.machine.deadline;
  };
  set(86_400_000_000);
  await new Promise(setImmediate);
  set(5);
  await one.until("due");
  set(5);
  await new Promise(setImmediate);
  const later = set(60);
  await one.until("due", 2);
  expect(now()).toBeGreaterThanOrEqual(later);
});

test("a deadline that has passed rings at once, without a warning of Node", async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  process.on("warning", warn);
  const one = await end();
  one.machine.deadline = after(now(), -5);
  one.drive.wake();
  await one.until("due");
  await new Promise(setImmediate);
  process.off("warning", warn);
  expect(warnings).toEqual([]);
});

test("shutdown sends what is left, closes the socket once and reports no error", async () => {
  const [one, other] = [await end(), await end()];
  one.machine.say("bye", other.place);
  one.drive.shutdown();
  expect(await one.gone).toBeUndefined();
  expect(await other.until("arrived")).toMatchObject([{ text: "bye" }]);
  // Nothing is sent on a closed socket.
  one.machine.say("late", other.place);
  one.drive.wake();
  one.drive.destroy();
  expect(one.machine.left).toBe(1);
});

test("more than the queue holds leaves in turns", async () => {
  const one = await end();
  // Nothing listens there: a lost datagram is no error.
  const nowhere = await end();
  nowhere.drive.destroy();
  await nowhere.gone;
  const size = 8_000;
  const count = 400;
  for (let at = 0; at < count; at++) one.machine.say("x".repeat(size), nowhere.place);
  one.drive.flush();
  const waiting = one.machine.left;
  // 1 MiB, and the rest of the 16 datagrams that the machine gives at once.
  expect((count - waiting) * size).toBeGreaterThan(1_000_000);
  expect((count - waiting) * size).toBeLessThan(1_200_000);
  one.drive.shutdown();
  expect(await one.gone).toBeUndefined();
  expect(one.machine.left).toBe(0);
});

test("an error closes the socket and reaches the owner", async () => {
  const one = await end();
  const error = new Error("broken");
  one.drive.socket.emit("error", error);
  expect(await one.gone).toBe(error);
});

test("an address in use is refused with what to do", async () => {
  const one = await end();
  await expect(bindUdp(one.place)).rejects.toThrow(`port ${one.place.port} of 127.0.0.1 is in use: choose another, or 0 for any free one`);
});
