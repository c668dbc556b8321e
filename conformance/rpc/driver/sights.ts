import { listOf } from "../../harness/shapes.ts";
import { leaves } from "../../harness/connection/sights.ts";
import type { ReadField } from "../../wire/http2/read.ts";
import { toHex } from "../../wire/octets.ts";
import type { Entry } from "../../wire/rpc/contract.ts";
import { STATUSES } from "../../wire/rpc/statuses.ts";
import type { CodeSight, Ended, Sight, StatusName, Wanted } from "../vocabulary.ts";
import { Answer, binary, contentsOf, messageOf, responsesOf, statusOf } from "./answers.ts";
import { areTrue } from "./facts.ts";
import { monitor } from "./monitors.ts";
import type { RpcConnection } from "./connection.ts";
import type { View } from "./view.ts";

/** Whether a sight has been seen. */
export function isSeen(sight: Sight, stage: View): boolean {
  if (sight.see === "all") return sight.of.every((one) => isSeen(one, stage));
  if (sight.see === "any") return sight.of.some((one) => isSeen(one, stage));
  const connection = stage.connections.get(1);
  switch (sight.see) {
    case "fate":
      return stage.fate?.state === sight.state && (sight.requests === undefined || stage.fate.requests === sight.requests);
    case "told":
      return isTold(sight, stage);
    case "holds":
      return monitor(sight.monitor, stage) === undefined;
    case "closed":
      return connection !== undefined && connection.ended !== undefined && connection.goaway === undefined;
    case "goaway":
      return connection?.goaway !== undefined && isCode(connection.goaway, sight.code);
    case "settings":
      return (connection?.wire.theirSettings.get(sight.name) ?? 0) >= sight.least;
    case "pong":
      return connection?.frames.some(({ type, ack, payload }) => type === "PING" && ack === true && toHex(payload) === sight.hex) === true;
    default:
      return connection !== undefined && ofCall(sight, connection, stage);
  }
}

function isTold({ status = "OK", facts = [] }: Extract<Sight, { see: "told" }>, { told, kept }: View): boolean {
  if (told?.status !== STATUSES.indexOf(status)) return false;
  return facts.length === 0 || (told.message !== undefined && areTrue(told.message, facts, kept));
}

type CallSight = Extract<Sight, { readonly call: number }>;

function ofCall(sight: CallSight, { answers }: RpcConnection, stage: View): boolean {
  const answer = answers.get(sight.call) ?? new Answer();
  switch (sight.see) {
    case "answer": {
      const { status = "OK" } = sight;
      return statusOf(answer, stage) === (typeof status === "number" ? status : STATUSES.indexOf(status)) && isEnded(sight, answer, stage);
    }
    case "failed": {
      const code = statusOf(answer, stage);
      const wanted: readonly (StatusName | "any")[] = listOf(sight.status);
      const fits = wanted.some((one) => (one === "any" ? code !== 0 : code === STATUSES.indexOf(one)));
      return code !== undefined && fits && isEnded(sight, answer, stage);
    }
    case "http":
      return (
        answer.head !== undefined &&
        answer.endedBy !== undefined &&
        listOf(sight.status).some((one) => String(one) === Answer.statusOf(answer.head!))
      );
    case "reset":
      return answer.reset !== undefined && isCode(answer.reset, sight.code);
    case "headers":
      return answer.head !== undefined && has(answer.head.fields, sight.headers, stage);
    case "messages":
      return answer.messages.messages.length >= sight.count && isSaid(sight.says, answer, stage);
    case "going on":
      return !answer.isOver;
    case "at most":
      return answer.messages.messages.length <= sight.count;
    case "lists": {
      const listed = values(
        answer.finals.flatMap(({ fields }) => fields),
        stage.text("{rpc}-accept-encoding"),
      );
      return listed !== undefined && !listed.split(",").some((one) => one.trim() === sight.without);
    }
    case "open":
      return answer.head === undefined && !answer.isOver;
  }
}

const isCode = (code: string, wanted: CodeSight): boolean =>
  wanted === "any error" ? code !== "NO_ERROR" : listOf(wanted).some((one) => one === code);

/** Whether the facts are true of the first messages. */
function isSaid(says: Ended["says"], answer: Answer, stage: View): boolean {
  const messages = says === undefined ? [] : contentsOf(answer, stage);
  return (says ?? []).every((facts, nth) => {
    const octets = messages[nth];
    return octets !== undefined && areTrue(octets, facts, stage.kept);
  });
}

function isEnded(wanted: Ended, answer: Answer, stage: View): boolean {
  const { messages } = answer.messages;
  const responses = responsesOf(answer, stage);
  const seen = responses[0]?.seen;
  const same = (some: readonly unknown[] | undefined, found: () => readonly unknown[]): boolean =>
    some === undefined || JSON.stringify(some) === JSON.stringify(found());
  const text = wanted.mentions === undefined ? "" : messageOf(answer, stage).toLowerCase();
  const [least, most] = wanted.left === undefined || wanted.left === false ? [0, 0] : wanted.left;
  return (
    same(wanted.payloads, () => responses.map((one) => (one === undefined ? undefined : Buffer.from(one.payload).toString()))) &&
    same(wanted.sizes, () => responses.map((one) => one?.payload.length)) &&
    same(wanted.numbers, () => responses.map((one) => one?.number)) &&
    same(wanted.octets, () => messages.map(({ octets }) => toHex(octets))) &&
    (wanted.says === undefined || (wanted.says.length === messages.length && isSaid(wanted.says, answer, stage))) &&
    same(wanted.compressed, () => messages.map(({ flags }) => flags === 1)) &&
    (wanted.message === undefined || messageOf(answer, stage) === wanted.message) &&
    (wanted.mentions ?? []).every((one) => text.includes(stage.text(one).toLowerCase())) &&
    (wanted.details === undefined || values(answer.last?.fields ?? [], stage.text("{rpc}-status-details-bin")) === wanted.details) &&
    has(answer.isTrailersOnly ? [] : (answer.head?.fields ?? []), wanted.headers, stage) &&
    has(answer.last?.fields ?? [], wanted.trailers, stage) &&
    has(seen?.metadata ?? [], wanted.metadata, stage, true) &&
    (wanted.metadata === undefined || seen !== undefined) &&
    (wanted.left === undefined ||
      (wanted.left === false
        ? seen !== undefined && seen.leftMs === undefined
        : seen?.leftMs !== undefined && seen.leftMs >= least && seen.leftMs <= most)) &&
    (wanted.form === undefined || answer.isTrailersOnly === (wanted.form === "trailers only"))
  );
}

/** All values of a name, joined; those of a name in -bin as octets in hex. */
function values(fields: readonly (ReadField | Entry)[], name: string, isDecoded = false): string | undefined {
  const found = fields.filter(([one]) => one === name).map(([, value]) => value);
  if (found.length === 0) return undefined;
  if (!name.endsWith("-bin") || isDecoded) return found.join(",");
  return found
    .flatMap((value) => value.split(","))
    .map((one) => binary(one.trim()) ?? "?")
    .join(",");
}

function has(fields: readonly (ReadField | Entry)[], wanted: Wanted | undefined, { text }: View, isDecoded = false): boolean {
  return Object.entries(wanted ?? {}).every(([name, one]) => {
    const found = values(fields, text(name), isDecoded);
    if (one === false) return found === undefined;
    return found !== undefined && listOf(one).some((value) => text(value) === found.replaceAll(", ", ","));
  });
}

/** Whether it ends the connection, so that no fence can be answered. */
export const isTerminal = (sight: Sight): boolean => leaves<Sight>(sight).some(({ see }) => see === "goaway" || see === "closed");
