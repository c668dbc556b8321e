import { orList, outcomeWith, short, withOthers } from "../../harness/words.ts";
import { STATUSES } from "../../wire/rpc/statuses.ts";
import type { CallReport, Sight } from "../client-vocabulary.ts";
import type { Report } from "../../harness/subject/reporting.ts";
import { loadStreams } from "./client-loads.ts";
import type { ClientView } from "./client-view.ts";

/** Sights and observations in words. */

const countInWords = (count: number | readonly [number, number]): string =>
  typeof count === "number" ? String(count) : count.join(" to ");

export function sightInWords(sight: Sight): string {
  switch (sight.see) {
    case "answer":
      return `call ${sight.call ?? 1} ends with ${orList(sight.status ?? "OK")}${withOthers(sight, ["see", "call", "status"])}`;
    case "failed":
      return `call ${sight.call ?? 1} fails with ${sight.status === "any" ? "any status but OK" : orList(sight.status)}${withOthers(sight, ["see", "call", "status"])}`;
    case "request":
      return `request ${sight.request ?? 1}${withOthers(sight, ["see", "request"])}`;
    case "requests":
      return `${countInWords(sight.count)} requests`;
    case "at once":
      return `at most ${sight.most} open requests at a time`;
    case "connections":
      return `${sight.count} connections`;
    case "served":
      return `${countInWords(sight.count)} requests${sight.from === undefined ? "" : ` from request ${sight.from} on`} at server ${sight.server}`;
    case "load streams":
      return `${countInWords(sight.count)} streams of reports at server ${sight.server}${sight.everyMs === undefined ? "" : `, every ${sight.everyMs} ms`}`;
    case "one served":
      return "all requests at one server";
    case "reached":
      return `${countInWords(sight.count)} connections to server ${sight.server}`;
    case "connected":
      return `a connection to each of the servers ${sight.servers.join(", ")}`;
    case "gone":
      return `the connection to server ${sight.server} ended by the client`;
    case "apart":
      return `${sight.least} to ${sight.most} ms between the first connections to the servers ${sight.from} and ${sight.to}`;
    case "outcomes":
      return `${sight.count} calls that end with ${sight.status}`;
    case "reset":
      return `RST_STREAM on request ${sight.request ?? 1} with ${orList(sight.code)}`;
    case "goaway":
      return `GOAWAY with ${orList(sight.code)}`;
    case "closed":
      return `connection ${sight.on ?? 1} closed by the client`;
    case "spacing":
      return `${sight.least} to ${sight.most} ms between the requests ${sight.from} and ${sight.to}`;
    case "took":
      return `a report after ${sight.least ?? 0} to ${sight.most} ms`;
    case "pong":
      return `a PING answered with ${sight.hex}`;
    case "holds":
      return `${sight.monitor.replaceAll("-", " ")} held`;
    case "all":
      return sight.of.map(sightInWords).join(", and ");
    case "any":
      return sight.of.map(sightInWords).join(", or ");
  }
}

export const outcomeInWords = outcomeWith(sightInWords);

export const callInWords = ({ status, message, messages }: CallReport): string =>
  `${STATUSES[status] ?? (status < 0 ? "no status" : status)}${message === "" ? "" : ` ${short(message)}`}${messages.length === 0 ? "" : `, ${messages.length} messages`}`;

/** Everything that was seen: what the subject reports, its requests, its connections. */
export function observedInWords(stage: ClientView & { readonly report: Report | undefined }): string {
  const calls = stage.calls?.map((one, at) => `call ${at + 1}: ${callInWords(one)}`) ?? [];
  const isMany = stage.asked?.servers !== undefined;
  const requests = stage.requests.map((one, at) => {
    const more = [...(one.endedBy === undefined ? ["not ended"] : []), ...(one.reset === undefined ? [] : [`reset with ${one.reset}`])];
    return `request ${at + 1}${isMany ? ` at server ${one.connection.server}` : ""}${more.length === 0 ? "" : ` ${more.join(", ")}`}`;
  });
  return [
    ...(calls.length > 0
      ? calls
      : [stage.report === undefined ? "no report" : stage.report.is === "trouble" ? stage.report.why : "an unreadable report"]),
    ...requests,
    ...(stage.asked?.servers ?? []).flatMap((_, at) => {
      const streams = loadStreams(stage.connections, at + 1);
      return streams.length === 0
        ? []
        : [`${streams.length} streams of reports at server ${at + 1}, every ${streams.map(({ everyMs }) => everyMs).join(", ")} ms`];
    }),
    ...(stage.connections.length === 1 ? [] : [`${stage.connections.length} connections`]),
    ...(stage.tookMs === undefined ? [] : [`${Math.round(stage.tookMs)} ms`]),
  ].join("; ");
}
