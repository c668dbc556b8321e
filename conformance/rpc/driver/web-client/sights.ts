import { fromHex } from "../../../wire/octets.ts";
import { readResponse } from "../../../wire/rpc/contract.ts";
import { readResponseJson } from "../../../wire/rpc/json.ts";
import { STATUSES } from "../../../wire/rpc/statuses.ts";
import type { CallReport } from "../../client-vocabulary.ts";
import type { WebClientSight, WebReported } from "../../web-client-vocabulary.ts";
import type { WebWanted } from "../../web-vocabulary.ts";
import { valueOf } from "../answers.ts";
import { timeoutMs, valuesOf } from "../client-values.ts";
import type { WebRequest } from "./connection.ts";
import { monitor } from "./monitors.ts";
import { readWebRequest } from "./request.ts";
import type { WebClientView } from "./view.ts";

/** Whether a sight has been seen. */
export function isSeen(sight: WebClientSight, stage: WebClientView): boolean {
  const { requests } = stage;
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
      if (report === undefined) return false;
      const { status = "OK" } = sight;
      return (status === "any" ? report.status !== 0 : STATUSES[report.status] === status) && isReported(sight, report, stage);
    }
    case "request":
      return isRequested(sight, requests[(sight.request ?? 1) - 1]);
    case "requests":
      return requests.length === sight.count;
    case "left":
      return requests[(sight.request ?? 1) - 1]?.hasLeft === true;
  }
}

const same = (some: readonly unknown[] | undefined, found: () => readonly unknown[]): boolean =>
  some === undefined || JSON.stringify(some) === JSON.stringify(found());

/** The payload of a reported message; undefined for one that is no Response. */
export function payloadOf(hex: string, { asked }: Pick<WebClientView, "asked">): Uint8Array | undefined {
  return (asked?.channel?.format === "json" ? readResponseJson : readResponse)(fromHex(hex))?.payload;
}
const textOf = (octets: Uint8Array | undefined): string | undefined => (octets === undefined ? undefined : Buffer.from(octets).toString());

function isReported(wanted: WebReported, { message, messages, headers, trailers, details }: CallReport, stage: WebClientView): boolean {
  return (
    same(wanted.payloads, () => messages.map((hex) => textOf(payloadOf(hex, stage)))) &&
    same(wanted.sizes, () => messages.map((hex) => payloadOf(hex, stage)?.length)) &&
    same(wanted.details, () => details ?? []) &&
    (wanted.message === undefined || message === wanted.message) &&
    has(wanted.headers, (name) => joined(headers, name)) &&
    has(wanted.trailers, (name) => joined(trailers, name))
  );
}
const joined = (pairs: CallReport["headers"], name: string): string | undefined => {
  const found = pairs.filter(([one]) => one === name).map(([, value]) => value);
  return found.length === 0 ? undefined : found.join(",").replaceAll(", ", ",");
};
const has = (wanted: WebWanted | undefined, found: (name: string) => string | undefined): boolean =>
  Object.entries(wanted ?? {}).every(([name, one]) => found(name) === (one === false ? undefined : one));

function isRequested(sight: Extract<WebClientSight, { see: "request" }>, request: WebRequest | undefined): boolean {
  if (request === undefined) return false;
  const { verb, fields, isWhole } = request;
  const { path, messages } = readWebRequest(request);
  return (
    (sight.verb === undefined || verb === sight.verb) &&
    (sight.path === undefined || path === sight.path) &&
    (sight.ended === undefined || isWhole === sight.ended) &&
    has(sight.fields, (name) => valuesOf(fields, name)) &&
    same(sight.payloads, () => messages.map(({ payload }) => textOf(payload))) &&
    same(sight.sizes, () => messages.map(({ payload }) => payload?.length)) &&
    same(sight.compressed, () => messages.map(({ encoding }) => encoding)) &&
    (sight.timeout === undefined || isTimeout(sight.timeout, fields))
  );
}
function isTimeout(wanted: readonly [number, number] | false, fields: WebRequest["fields"]): boolean {
  const connect = valueOf(fields, "connect-timeout-ms");
  const ms = connect === undefined ? timeoutMs(valueOf(fields, "grpc-timeout")) : Number(connect);
  if (wanted === false) return connect === undefined && valueOf(fields, "grpc-timeout") === undefined;
  return ms !== undefined && ms >= wanted[0] && ms <= wanted[1];
}
