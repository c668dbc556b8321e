import { listOf } from "../../harness/shapes.ts";
import { toHex } from "../../wire/octets.ts";
import { inflated } from "../../wire/rpc/envelopes.ts";
import { STATUSES } from "../../wire/rpc/statuses.ts";
import type { CallReport, Reported, Sight } from "../client-vocabulary.ts";
import type { Wanted } from "../vocabulary.ts";
import { encodingOf, valueOf } from "./answers.ts";
import { timeoutMs, valuesOf } from "./client-values.ts";
import { callsOf } from "./client-conclude.ts";
import type { Request } from "./client-connection.ts";
import { loadStreams } from "./client-loads.ts";
import { monitor } from "./client-monitors.ts";
import type { ClientView } from "./client-view.ts";

/** Whether a sight has been seen. */
export function isSeen(sight: Sight, stage: ClientView): boolean {
  const { connections, requests } = stage;
  const request = (number = 1): Request | undefined => requests[number - 1];
  const at = (server: number) => connections.filter((one) => one.server === server);
  switch (sight.see) {
    case "all":
      return sight.of.every((one) => isSeen(one, stage));
    case "any":
      return sight.of.some((one) => isSeen(one, stage));
    case "holds":
      return monitor(sight.monitor, stage) === undefined;
    case "answer":
    case "failed": {
      const report = stage.calls?.[(sight.call ?? 1) - 1];
      return report !== undefined && hasStatus(report, sight) && isReported(sight, report, stage);
    }
    case "request":
      return isRequested(sight, request(sight.request), stage);
    case "requests":
      return isCount(requests.length, sight.count);
    case "at once":
      return connections.every(({ mostOpen }) => mostOpen <= sight.most);
    case "connections":
      return connections.length === sight.count;
    case "served":
      return isCount(
        requests.slice((sight.from ?? 1) - 1).filter(({ connection }) => connection.server === sight.server).length,
        sight.count,
      );
    case "load streams": {
      const { server, count, everyMs } = sight;
      const streams = loadStreams(connections, server);
      return isCount(streams.length, count) && (everyMs === undefined || streams.every((one) => one.everyMs === everyMs));
    }
    case "one served":
      return new Set(requests.map(({ connection }) => connection.server)).size === 1;
    case "reached":
      return isCount(at(sight.server).length, sight.count);
    case "connected":
      return sight.servers.every((server) => at(server).some((one) => one.knows && !one.isOver));
    case "gone":
      return at(sight.server).length > 0 && at(sight.server).every(({ isOver }) => isOver);
    case "apart": {
      const ms = (at(sight.to)[0]?.at ?? Number.NaN) - (at(sight.from)[0]?.at ?? Number.NaN);
      return ms >= sight.least && ms <= sight.most;
    }
    case "outcomes": {
      const own = stage.calls?.slice(0, callsOf(stage.asked).length);
      return own?.filter(({ status }) => STATUSES[status] === sight.status).length === sight.count;
    }
    case "reset":
      return isCode(request(sight.request)?.reset, sight.code);
    case "goaway":
      return connections.some(({ frames }) => frames.some(({ type, code }) => type === "GOAWAY" && isCode(code, sight.code)));
    case "closed":
      return connections[(sight.on ?? 1) - 1]?.isOver === true;
    case "spacing": {
      const ms = (request(sight.to)?.at ?? Number.NaN) - (request(sight.from)?.at ?? Number.NaN);
      return ms >= sight.least && ms <= sight.most;
    }
    case "took":
      return stage.tookMs !== undefined && stage.tookMs >= (sight.least ?? 0) && stage.tookMs <= sight.most;
    case "pong":
      return connections.some(({ frames }) =>
        frames.some(({ type, ack, payload }) => type === "PING" && ack === true && toHex(payload) === sight.hex),
      );
  }
}

function isCount(found: number, wanted: number | readonly [number, number]): boolean {
  const [least, most] = typeof wanted === "number" ? [wanted, wanted] : wanted;
  return found >= least && found <= most;
}
const isCode = (code: string | undefined, wanted: string | readonly string[]): boolean =>
  code !== undefined && (wanted === "any" || listOf(wanted).includes(code));

function hasStatus({ status }: CallReport, sight: Extract<Sight, { see: "answer" | "failed" }>): boolean {
  const { status: wanted = "OK" } = sight;
  return listOf(wanted).some((one) => (one === "any" ? status !== 0 : STATUSES[status] === one));
}

const same = (some: readonly unknown[] | undefined, found: () => readonly unknown[]): boolean =>
  some === undefined || JSON.stringify(some) === JSON.stringify(found());

const textOf = (hex: string): string => Buffer.from(hex, "hex").toString();

function isReported(wanted: Reported, { message, messages, headers, trailers }: CallReport, { text }: ClientView): boolean {
  return (
    same(wanted.messages, () => messages.map(textOf)) &&
    same(wanted.sizes, () => messages.map((hex) => hex.length / 2)) &&
    (wanted.count === undefined || messages.length === wanted.count) &&
    (wanted.message === undefined || message === wanted.message) &&
    (wanted.messageAmong === undefined || wanted.messageAmong.includes(message)) &&
    (wanted.mentions === undefined || message.includes(wanted.mentions)) &&
    has((name) => joined(headers, name), wanted.headers, text) &&
    has((name) => joined(trailers, name), wanted.trailers, text)
  );
}

/** All values that a report has for a name. */
const joined = (pairs: CallReport["headers"], name: string): string | undefined => {
  const found = pairs.filter(([one]) => one === name).map(([, value]) => value);
  return found.length === 0 ? undefined : found.join(",").replaceAll(", ", ",");
};

const has = (value: (name: string) => string | undefined, wanted: Wanted | undefined, text: (value: string) => string): boolean =>
  Object.entries(wanted ?? {}).every(([name, one]) => {
    const found = value(text(name));
    return one === false ? found === undefined : found !== undefined && listOf(one).some((each) => text(each) === found);
  });

function isRequested(sight: Extract<Sight, { see: "request" }>, request: Request | undefined, stage: ClientView): boolean {
  if (request?.head === undefined) return false;
  const { fields } = request.head;
  const { messages } = request.messages;
  const encoding = encodingOf(request, stage);
  const contents = (): (Uint8Array | undefined)[] => messages.map((one) => inflated(one, encoding));
  return (
    has((name) => valuesOf(fields, name), sight.fields, stage.text) &&
    Object.entries(sight.like ?? {}).every(([name, pattern]) => new RegExp(pattern).test(valueOf(fields, stage.text(name)) ?? "")) &&
    (sight.ended === undefined || (request.endedBy !== undefined) === sight.ended) &&
    same(sight.messages, () => contents().map((one) => (one === undefined ? undefined : Buffer.from(one).toString()))) &&
    same(sight.sizes, () => contents().map((one) => one?.length)) &&
    same(sight.compressed, () => messages.map(({ flags }) => flags === 1)) &&
    (sight.on === undefined || request.connection.on === sight.on) &&
    (sight.timeout === undefined || isWithin(timeoutMs(valueOf(fields, stage.text("{rpc}-timeout"))), sight.timeout))
  );
}

const isWithin = (ms: number | undefined, [least, most]: readonly [number, number]): boolean =>
  ms !== undefined && ms >= least && ms <= most;
