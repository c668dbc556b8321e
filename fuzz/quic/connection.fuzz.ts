import type { Options } from "../../reference/quic/connection/testing.ts";
import { inputs, Script } from "../lib/script.ts";
import type { Target } from "../lib/target.ts";
import { Pair } from "./pair.ts";

const SMALL = { connectionWindow: 3_000, streamWindow: 1_000, bidirectionalStreams: 2, unidirectionalStreams: 1, keyPackets: 8 };
const LARGE = { connectionWindow: 1_048_576, streamWindow: 262_144 };
const MOST_ACTIONS = 60;

/** The first six octets: limits and options, loss, duplication, corruption, delay and jitter. */
function pairOf(script: Script): Pair {
  const flags = script.next();
  const limits = { ...((flags & 1) === 0 ? LARGE : SMALL), datagramOctets: 500 };
  const options: Options = {
    seed: flags,
    weather: {
      loss: script.next() / 600,
      duplication: script.next() / 600,
      corruption: script.next() / 600,
      delayMs: script.next(),
      jitterMs: script.next(),
    },
    padding: [0, 0, 900, 4_000][(flags >> 1) & 3]!,
    client: { limits, ...((flags & 0x10) !== 0 && { congestion: "cubic" }) },
    server: { limits, ...((flags & 8) !== 0 && { retry: "always" }) },
  };
  return new Pair(options, { connection: limits.connectionWindow, stream: limits.streamWindow });
}

/** An octet says what happens and at which side, the next how much. */
function step(pair: Pair, script: Script): void {
  const kind = script.next();
  const side = (kind & 0x80) === 0 ? "client" : "server";
  const amount = script.next();
  const part = pair.part(amount);
  switch (kind & 0x0f) {
    case 0:
      return pair.open(side, "bidirectional");
    case 1:
      return pair.open(side, "unidirectional");
    case 2:
    case 3:
      return part && pair.send(part.side, part.id, script.pair() % 20_000, (kind & 0x10) !== 0);
    case 4:
      return part && pair.reset(part.side, part.id, amount);
    case 5:
      return part && pair.stop(side, part.id, amount);
    case 6:
      return pair.act(side, (connection) => void connection.updateKeys());
    case 7:
      return pair.act(side, (connection) => connection.ping());
    case 8:
      return pair.act(side, (connection) => void connection.datagram(new Uint8Array(amount * 4)));
    case 9:
    case 10:
      return pair.rig.run(amount * 4);
    case 11:
      return pair.move((kind & 0x10) === 0 ? "198.51.100.7" : "198.51.100.8", 5_000 + (amount & 3));
    case 12:
      return pair.rig.inject(side, script.take(amount));
    case 13: {
      const old = pair.past[amount % Math.max(1, pair.past.length)];
      if (old === undefined) return undefined;
      const changed = old.bytes.slice();
      const at = script.pair() % changed.length;
      changed[at]! ^= script.next();
      return pair.rig.inject(side, changed);
    }
    case 14:
      if ((kind & 0x10) === 0) pair.reads = !pair.reads;
      else pair.read();
      return undefined;
    default:
      if ((kind & 0x70) === 0x70) pair.close(side, amount);
      else if (part !== undefined) pair.send(part.side, part.id, 0, true);
      return undefined;
  }
}

/** Options of the network and of both ends, then what they do. */
export const target: Target = {
  name: "quic/connection",
  about:
    "over loss, reordering, duplication, damage, forged datagrams and changes of address everything arrives in order, or the connection has ended for a stated reason",
  run(input) {
    const script = new Script(input);
    const pair = pairOf(script);
    for (let actions = 0; !script.ended && actions < MOST_ACTIONS; actions++) step(pair, script);
    pair.settle();
  },
  seeds: inputs(
    "00 00 00 00 0a 00 09ff 0000 12004000 8901 8001 12010800 0920",
    "01 20 20 20 1e 40 0fff 0980 0000 0100 02000400 12010300 0940 8600 0920 0000 1202 0100 0980",
    "08 30 10 10 28 50 09ff 0100 02003000 0450 0940 0500 0600 09ff",
    "02 00 00 00 14 00 0940 0d01 0003 01 8d02 0010 80 09ff 0b01 0000 12000100 09ff 1b02 0700 09ff",
    "11 10 00 00 0a 10 09ff 0800 8840 0e00 0000 12000fa0 0940 1e00 0c05 4001020304 8c04 40010203 7f05",
    "00 80 00 00 0a 00 09ff 09ff 0000 02000064 0910 0f00 0910 0100 02010064 0940 0f01 0920",
    "06 40 00 20 32 14 0980 0980 8000 92000400 0500 09ff 0985",
  ),
  maxLength: 160,
};
