import { peer, type Peer } from "../../conformance/peers/index.ts";
import { alternate } from "../lib/alternate.ts";
import { type EmbeddedSubjects, startSubjects } from "../lib/embedded.ts";
import { idleConnections, perThingGroups } from "../lib/idle-memory.ts";
import type { BenchGroup } from "../lib/result.ts";
import { costAndRate, SPREAD } from "../lib/rows.ts";
import type { Say, Size } from "../lib/size.ts";
import type { BenchSubject } from "../lib/subject.ts";
import { inTurn } from "../lib/turns.ts";
import { echoed, echoes, type EchoLoad } from "./load.ts";

const CONNECTIONS = 20;
/** The maximum number of idle connections, limited by file descriptors. */
const MOST_IDLE = 10_000;
/** Keeps the young generation small, so that its growth while connections open is not counted as theirs. */
const SMALL_YOUNG_GENERATION = ["--max-semi-space-size=1"];
const KIB = 1_024;
const MIB = 1_024 * KIB;

/** A load, and the number of messages in a round. */
type Case = {
  readonly id: string;
  readonly title: string;
  readonly load: Omit<EchoLoad, "messages">;
  readonly messages: (size: Size) => number;
};
const small = (part: number) => (size: Size) => Math.round(size.requests * part);
const large = (times: number) => (size: Size) => size.transfers * times;
const plain = { connections: CONNECTIONS, compressed: false };
const compressed = { connections: CONNECTIONS, compressed: true };

const SMALL: readonly Case[] = [
  { id: "64b", title: "64 B, 16 in flight", load: { ...plain, size: 64, inFlight: 16 }, messages: small(2) },
  { id: "64b-alone", title: "64 B, one in flight", load: { ...plain, size: 64, inFlight: 1 }, messages: small(0.5) },
  { id: "64b-compressed", title: "64 B of JSON, compressed", load: { ...compressed, size: 64, inFlight: 16 }, messages: small(0.25) },
];
const LARGE: readonly Case[] = [
  { id: "64kib", title: "64 KiB", load: { ...plain, size: 64 * KIB, inFlight: 16 }, messages: large(100) },
  { id: "1mib", title: "1 MiB", load: { ...plain, connections: 4, size: MIB, inFlight: 2 }, messages: large(8) },
  {
    id: "64kib-compressed",
    title: "64 KiB of JSON, compressed",
    load: { ...compressed, size: 64 * KIB, inFlight: 4 },
    messages: large(20),
  },
  {
    id: "1mib-compressed",
    title: "1 MiB of JSON, compressed",
    load: { ...compressed, connections: 4, size: MIB, inFlight: 1 },
    messages: large(1),
  },
];

/** Touchstone, `ws` with masking in JavaScript (an environment variable turns its native add-on off), and `ws` with the add-on. */
function embeddedPeers(): Peer[] {
  const ws = peer("ws");
  const server = ws.speaks["websocket"]?.server;
  const plain = { ...ws, speaks: { websocket: { server: { ...server, environment: { WS_NO_BUFFER_UTIL: "1" } } } } };
  return [peer("touchstone"), plain, { ...ws, name: "ws with bufferutil" }];
}

/** Starts the default subjects: Touchstone, `ws`, and `ws` with its native add-on. */
export const embeddedSubjects = (say: Say): Promise<EmbeddedSubjects> =>
  startSubjects(embeddedPeers(), { protocol: "websocket", say, pathsOf: () => ({ small: "/" }) });

/** Small messages: the cost per message. */
export async function requestGroups(subjects: readonly BenchSubject[], size: Size, say: Say): Promise<BenchGroup[]> {
  return groupsOf(SMALL, subjects, size, say);
}
/** Large messages: the cost per octet. */
export async function transferGroups(subjects: readonly BenchSubject[], size: Size, say: Say): Promise<BenchGroup[]> {
  return groupsOf(LARGE, subjects, size, say);
}

async function groupsOf(cases: readonly Case[], subjects: readonly BenchSubject[], size: Size, say: Say): Promise<BenchGroup[]> {
  const groups: BenchGroup[] = [];
  for (const { id, title, load, messages } of cases) {
    const count = messages(size);
    const samples = await alternate(
      subjects,
      size.rounds,
      (subject) => echoes(subject, { ...load, messages: count }),
      (round, { name }) => say(`${title}, round ${round} of ${size.rounds}: ${name}`),
    );
    groups.push(
      ...costAndRate(samples, {
        id: `websocket/${id}`,
        unit: "message",
        costTitle: `Server CPU for an echo of ${title}`,
        rateTitle: `Echoes per second, ${title}`,
        note: noteOf(load, count, size),
      }),
    );
  }
  return groups;
}
function noteOf({ connections, inFlight, compressed: isCompressed }: Case["load"], count: number, { rounds }: Size): string {
  const how = isCompressed ? "; permessage-deflate with context take-over, each at its own level" : "";
  return `echoes, ${connections} connections, ${inFlight} messages in flight on each, ${count} messages, ${rounds} rounds in turn${how}; ${SPREAD}`;
}

/** Memory of an idle connection: Touchstone and `ws`. */
export async function memoryGroups(size: Size, say: Say): Promise<BenchGroup[]> {
  const connections = Math.min(MOST_IDLE, size.connections * 4);
  const measure = (name: string) => () =>
    idleConnections({ folder: import.meta.dirname, name, flags: SMALL_YOUNG_GENERATION }, connections, (port) => echoed(name, port));
  const contenders = ["touchstone", "ws"].map((name) => ({ name, measure: measure(name) }));
  const taken = await inTurn(contenders, Math.min(3, size.rounds), "memory", say);
  const note = `${connections} connections after one echo each, after a full collection, with a small young generation`;
  return perThingGroups({ suite: "websocket", thing: "connection", title: "an idle connection", taken, note });
}
