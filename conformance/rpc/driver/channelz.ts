import { setTimeout as pause } from "node:timers/promises";
import type { Stop } from "../../harness/connection/stage.ts";
import { readMessage } from "../../wire/protobuf.ts";
import { STATUSES } from "../../wire/rpc/statuses.ts";
import { addressOctets, type FieldOf, messageOfParts, type Part, partsAt } from "../../wire/rpc/parts.ts";
import type { Step } from "../vocabulary.ts";
import { contentsOf, statusOf } from "./answers.ts";
import { converse, elsewhereOf } from "./converse.ts";
import { writtenFields } from "./facts.ts";
import { isSeen } from "./sights.ts";
import type { RpcStage } from "./stage.ts";
import type { Told } from "./view.ts";

/** Questions to channelz, on a connection of their own: they do not count on that of the case. */

/** How long to wait before a question is asked again, in milliseconds: what is shown may be behind what was sent. */
const AGAIN_MS = 20;
/** The most servers, and the most sockets of one, that are looked through. */
const MOST = 1_000;

/** The place of the remote port in an answer to GetSocket. */
const REMOTE_PORT = [1, 4, 1, 2];

/** Calls a method of channelz; returns its answer, or why there is none. */
async function asked(stage: RpcStage, method: string, octets: Uint8Array): Promise<Told | string> {
  const connection = await elsewhereOf(stage);
  if (typeof connection === "string") return connection;
  const answer = await converse(connection, stage, { path: `/grpc.channelz.v1.Channelz/${method}`, octets });
  if (typeof answer === "string") return `${method} of channelz: ${answer}`;
  const status = statusOf(answer, stage);
  if (status === undefined) return `${method} of channelz was answered without a status`;
  return { status, message: contentsOf(answer, stage)[0] };
}

export async function inquire({ method, fields = [], until }: Extract<Step, { do: "inquire" }>, stage: RpcStage): Promise<Stop> {
  const ends = performance.now() + stage.timeout;
  for (;;) {
    stage.kept.set("window", stage.main.wire.theirWindows.connection);
    const told = await asked(stage, method, writtenFields(fields, stage.kept));
    if (typeof told === "string") return told;
    stage.told = told;
    // Afterwards the allowed outcomes decide.
    if (until === undefined || isSeen(until, stage) || performance.now() > ends) return undefined;
    await pause(AGAIN_MS);
  }
}

export async function keep({ as, at, call, absent }: Extract<Step, { do: "keep" }>, stage: RpcStage): Promise<Stop> {
  const message = call === undefined ? stage.told?.message : contentsOf(stage.main.answer(call), stage)[0];
  const value = message === undefined ? undefined : (partsAt(message, at)[0] ?? absent);
  if (value === undefined) return `its answer has nothing at ${at.join(".")}, where the ${as} stands`;
  stage.kept.set(as, typeof value === "number" ? value : Buffer.from(value).toString());
  return undefined;
}

/** What channelz knows of the connection of a case: found, or how many sockets it shows instead. */
type Search = { readonly server: number; readonly socket: number } | { readonly shown: number };

export async function findSocket(stage: RpcStage): Promise<Stop> {
  const found = await search(stage);
  if (typeof found === "string") return found;
  const { ends } = stage.main;
  if ("shown" in found || ends === undefined) return `channelz shows no socket of a client at port ${ends?.ours.port}`;
  const { ours, theirs, tls } = ends;
  const known: Readonly<Record<string, Part | undefined>> = {
    ...found,
    "our port": ours.port,
    "our address": addressOctets(ours.address),
    "their port": theirs.port,
    "their address": addressOctets(theirs.address),
    cipher: tls?.cipher,
    "our certificate": tls?.ours,
    "their certificate": tls?.theirs,
  };
  for (const [name, value] of Object.entries(known)) if (value !== undefined) stage.kept.set(name, value);
  return undefined;
}

/** Looks through the sockets of all servers for that of the case's connection; returns why it could not. */
export async function search(stage: RpcStage): Promise<Search | string> {
  let shown = 0;
  const port = stage.main.ends?.ours.port;
  const servers = await idsOf(stage, { method: "GetServers", start: 1, refs: [1, 1], ref: [5, 6] });
  if (typeof servers === "string") return servers;
  for (const server of servers) {
    const sockets = await idsOf(stage, { method: "GetServerSockets", of: [[1, server]], start: 2, refs: [1], ref: [3, 4] });
    if (typeof sockets === "string") return sockets;
    shown += sockets.length;
    for (const socket of sockets) {
      const told = await asked(stage, "GetSocket", messageOfParts([[1, socket]]));
      if (typeof told === "string") return told;
      // Another one may be gone meanwhile.
      if (told.message !== undefined && partsAt(told.message, REMOTE_PORT)[0] === port) return { server, socket };
    }
  }
  return { shown };
}

type Pages = {
  readonly method: string;
  readonly of?: readonly FieldOf<Part>[];
  /** The field of the first id that is wanted; in the answer, the place of the references, and in these the fields of the id and the name. */
  readonly start: number;
  readonly refs: readonly number[];
  readonly ref: readonly [id: number, name: number];
};
/** The ids of all pages, those first whose name has our port, then the last ones; or why reading them failed. */
async function idsOf(stage: RpcStage, { method, of = [], start, refs, ref: [id, name] }: Pages): Promise<readonly number[] | string> {
  const port = String(stage.main.ends?.ours.port);
  const found: { readonly id: number; readonly isNamed: boolean }[] = [];
  for (let next = 0; found.length < MOST;) {
    const told = await asked(stage, method, messageOfParts([...of, [start, next]]));
    if (typeof told === "string") return told;
    if (told.message === undefined) return `${method} of channelz was answered with ${STATUSES[told.status] ?? told.status}`;
    const page = partsAt(told.message, refs).flatMap((one) => (typeof one === "number" ? [] : (readMessage(one) ?? [])));
    found.push(...page.map((one) => ({ id: one.number(id), isNamed: one.text(name).endsWith(port) })));
    const last = Math.max(...page.map((one) => one.number(id)), 0);
    if (partsAt(told.message, [2]).includes(1) || last < next) break;
    next = last + 1;
  }
  return found.toSorted((one, other) => Number(other.isNamed) - Number(one.isNamed) || other.id - one.id).map((one) => one.id);
}
