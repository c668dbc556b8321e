import { seeded } from "../../reference/core/index.ts";
import { octets, text, Witness, World } from "../../reference/websocket/channel/testing.ts";
import type { Member } from "../../reference/websocket/channel/index.ts";
import type { Target } from "../lib/target.ts";

/**
 * The terminal channel with an agent, two typing clients, a watcher, and a stranger that sends anything. The input is a script, two octets
 * per step. However connections break, all output is shown once, and all input of each client reaches the shell once and in order.
 */

const LIMITS = { replayOctets: 8_000, windowOctets: 64, typedOctets: 48, lagOctets: 16_000, messageOctets: 32_768, controlOctets: 256 };
/** Fewer octets than this per step, so that all of them fit in the replay. */
const STEP_OCTETS = 24;

/** A client with the watcher's token that breaks the rules. */
class Stranger {
  readonly #world: World;
  #member: Member | undefined;
  #peer = new Witness();
  constructor(world: World) {
    this.#world = world;
  }
  #attached(): Member {
    if (this.#member !== undefined && this.#peer.closed === undefined) return this.#member;
    this.#member?.closed(this.#world.now);
    this.#peer = new Witness();
    const found = this.#world.hub.admit("watcher", "main", new URLSearchParams("client=stranger"));
    if ("status" in found) throw new Error(found.why);
    return (this.#member = found.enter(this.#peer, this.#world.now));
  }
  send(given: Uint8Array, isText: boolean): void {
    const { now } = this.#world;
    if (isText) this.#attached().text(Buffer.from(given).toString("latin1"), now);
    else this.#attached().binary(given, now);
  }
  acknowledge(offset: number): void {
    this.#attached().text(JSON.stringify({ type: "ack", offset }), this.#world.now);
  }
}

function play(input: Uint8Array): void {
  const world = new World(LIMITS);
  const agent = world.agent();
  const typing = [world.client("a"), world.client("b")] as const;
  const watcher = world.client("w", "watcher");
  const parties = [...typing, watcher, agent] as const;
  const stranger = new Stranger(world);
  agent.connect(world.now);
  world.settle();
  let printed = "";
  const typed = ["", ""];
  let next = 0;
  const fresh = (count: number, base: number): string =>
    Array.from({ length: count }, () => String.fromCharCode(base + (next++ % 26))).join("");
  for (let at = 0; at + 1 < input.length; at += 2) {
    const argument = input[at + 1]!;
    const party = parties[argument & 3]!;
    switch (input[at]! % 9) {
      case 0: {
        // A paused shell prints nothing.
        if (agent.isPaused) break;
        const some = fresh(argument % STEP_OCTETS, 97);
        printed += some;
        agent.side.printed(octets(some));
        break;
      }
      case 1:
      case 2: {
        const [by, who] = input[at]! % 9 === 1 ? [typing[0], 0] : [typing[1], 1];
        // The characters show who typed: capital letters for one, digits and signs for the other.
        const some = fresh(argument % STEP_OCTETS, who === 0 ? 65 : 33);
        if (by.side.type(octets(some))) typed[who] += some;
        break;
      }
      case 3:
      case 4:
        party.step(world.now);
        break;
      case 5:
        party.break(world.now);
        break;
      case 6:
        if (party.wire === undefined) party.connect(world.now);
        break;
      case 7:
        stranger.send(input.slice(at + 2, at + 2 + (argument >> 1)), (argument & 1) === 0);
        break;
      default:
        stranger.acknowledge(argument * 8);
    }
  }
  for (const party of parties) if (party.wire === undefined) party.connect(world.now);
  world.settle();
  for (const client of [...typing, watcher]) {
    if (text(client.screen) !== printed) throw new Error(`${client.side.id} shows ${text(client.screen)} instead of ${printed}`);
    if (client.wire === undefined) throw new Error(`${client.side.id} was disconnected with ${client.code}`);
    if (client.side.untaken > 0) throw new Error(`${client.side.untaken} octets of ${client.side.id} did not reach the shell`);
  }
  const arrived = text(agent.typed);
  const [one, other] = [arrived.replaceAll(/[^A-Z]/g, ""), arrived.replaceAll(/[A-Z]/g, "")];
  if (one !== typed[0] || other !== typed[1]) throw new Error(`the shell received ${arrived} instead of ${typed.join(" and ")}`);
  if (agent.troubles.length > 0) throw new Error(`the agent received errors: ${agent.troubles.join(", ")}`);
}

const rng = seeded(3);
export const target: Target = {
  name: "websocket/channel",
  about: "a terminal session delivers all output and input once and in order, however connections break and whatever a stranger sends",
  run: play,
  seeds: Array.from({ length: 24 }, (_, i) => Uint8Array.from({ length: 20 + i * 6 }, () => rng() * 256)),
  dictionary: ["0010", "0110", "0211", "0300", "0303", "0501", "0503", "0601", "0603", "0802"].map(
    (hex) => new Uint8Array(Buffer.from(hex, "hex")),
  ),
  maxLength: 240,
};
