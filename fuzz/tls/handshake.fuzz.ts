import { concatenated } from "../../reference/core/index.ts";
import type { Event, Level, Machine } from "../../reference/tls/index.ts";
import { messagesIn, secretsOf } from "../../reference/io/crypto/handshake/testing.ts";
import { inputs, pieces, Script, shown } from "../lib/script.ts";
import type { Target } from "../lib/target.ts";
import { ends, KINDS, T0 } from "./toy.ts";

type Side = "client" | "server";
/** What happens to the message at a place in the whole handshake. */
type Damage = { readonly at: number; readonly change: (message: Uint8Array) => readonly Uint8Array[]; readonly isHarmful: boolean };
const LEVELS: readonly Level[] = ["initial", "early", "handshake", "application"];
const MOST_ROUNDS = 40;
const ALERT = 0x100;

/** An octet says which message, the next what happens to it. */
function damageOf(script: Script): Damage {
  const at = script.next() & 0x0f;
  const kind = script.next();
  const where = script.pair();
  switch (kind & 7) {
    case 0:
      return { at, change: () => [], isHarmful: true };
    case 1:
      return { at, change: (message) => [message, message], isHarmful: false };
    case 2: {
      const more = script.take(kind >> 3);
      return { at, change: (message) => [message, more], isHarmful: false };
    }
    case 3:
      return { at, change: (message) => [message.slice(0, where % message.length)], isHarmful: true };
    case 4: {
      const more = script.take(kind >> 3);
      return {
        at,
        change: (message) => [message.slice(0, where % message.length), more, message.slice(where % message.length)],
        isHarmful: more.length > 0,
      };
    }
    default: {
      const by = script.next();
      const change = (message: Uint8Array): readonly Uint8Array[] => [
        message.map((octet, index) => (index === where % message.length ? octet ^ by : octet)),
      ];
      return { at, change, isHarmful: by !== 0 };
    }
  }
}

/** Joins both ends until they are silent. `harmed`: the sides that got a message of the handshake that was not sent so. */
function join(
  both: Record<Side, Machine>,
  damages: readonly Damage[],
  isCut: boolean,
): { readonly events: Record<Side, Event[]>; readonly harmed: Set<Side> } {
  const events: Record<Side, Event[]> = { client: [...both.client.events()], server: [...both.server.events()] };
  const harmed = new Set<Side>();
  let count = 0;
  const deliver = (by: Side, to: Side): boolean => {
    const flights = both[by].take();
    for (const { level, octets } of flights) {
      const arrived = messagesIn(octets).flatMap((message) => {
        const damage = damages.find(({ at }) => at === count);
        count++;
        if (damage === undefined) return [message];
        if (damage.isHarmful && level !== "application") harmed.add(to);
        return damage.change(message);
      });
      const whole = concatenated([new Uint8Array(0), ...arrived]);
      for (const piece of isCut ? pieces(whole) : [whole]) events[to].push(...both[to].receive(level, piece, T0));
    }
    return flights.length > 0;
  };
  for (let rounds = 0; rounds < MOST_ROUNDS && (deliver("client", "server") || deliver("server", "client")); rounds++);
  return { events, harmed };
}

const isComplete = (events: readonly Event[]): boolean => events.some(({ is }) => is === "complete");

/** One end, last event, one reason with a code of its own. */
function checkEnd(side: Side, events: readonly Event[]): void {
  for (const [at, event] of events.entries()) {
    if (event.is !== "closed") continue;
    if (at !== events.length - 1) throw new Error(`the ${side} says ${events[at + 1]!.is} after its end`);
    const { error, name } = event.fault;
    if (!(error >= 0 && error < 2 * ALERT)) throw new Error(`${name} has the code ${error}`);
  }
}

/** The first octet chooses the handshake, and whether its octets are cut; damages of messages follow. */
export const target: Target = {
  name: "tls/handshake",
  about:
    "a handshake with damaged, lost, repeated and invented messages never throws, and an end that got other octets than were sent never completes",
  run(input) {
    const script = new Script(input);
    const head = script.next();
    const kind = KINDS[(head & 0x3f) % KINDS.length]!;
    const damages: Damage[] = [];
    const strays: { readonly to: Side; readonly level: Level; readonly octets: Uint8Array }[] = [];
    while (!script.ended && damages.length + strays.length < 6) {
      if ((head & 0x80) === 0) damages.push(damageOf(script));
      else
        strays.push({
          to: (script.next() & 1) === 0 ? "client" : "server",
          level: LEVELS[script.next() & 3]!,
          octets: script.take(script.next()),
        });
    }
    const both = ends(kind, head);
    const early: Record<Side, Event[]> = { client: [], server: [] };
    for (const { to, level, octets } of strays) early[to].push(...both[to].receive(level, octets, T0));
    const { events, harmed } = join(both, damages, (head & 0x40) !== 0);
    const all: Record<Side, Event[]> = { client: [...early.client, ...events.client], server: [...early.server, ...events.server] };
    for (const side of ["client", "server"] as const) {
      checkEnd(side, all[side]);
      if (harmed.has(side) && isComplete(all[side]))
        throw new Error(`the ${side} completes ${kind} though it got other octets: ${shown(all[side])}`);
    }
    const areComplete = isComplete(all.client) && isComplete(all.server);
    if (!areComplete && damages.length + strays.length === 0) throw new Error(`${kind} does not complete`);
    if (areComplete && shown(secretsOf(all.client, "write")) !== shown(secretsOf(all.server, "read")))
      throw new Error("both ends complete with other secrets");
  },
  seeds: [
    ...KINDS.flatMap((_, at) => inputs(`0${at}`, `4${at}`, `0${at} 01 05 0010 01`, `0${at} 02 0c 0020 aa`, `0${at} 04 01 0000`)),
    ...inputs(
      "00 00 05 0001 ff",
      "80 00 00 30 02 00 002c 0303",
      "80 01 02 05 14 000001 00",
      "02 04 00 0000 05 03 0004",
      `01 01 2a 0000 ${"0c00000100"}`,
    ),
  ],
  dictionary: inputs(
    "002b",
    "0033",
    "cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c",
    "18000001 00",
    "05000000",
    "0029",
    "00000100",
  ),
  maxLength: 200,
};
