import type { Feature } from "../../harness/driver.ts";
import { DEFAULTS } from "../../wire/http2/numbers.ts";
import { answerWith, content, respond, responseWithoutStatus, send, untilRequest } from "../cases/phrases.ts";
import type { Case } from "../vocabulary.ts";
import { fieldOf, isErrorGoaway, isErrorReset, isGoodExit, requestsIn } from "./sights.ts";
import type { Fence, Http2Stage } from "./stage.ts";

/** Optional features that cases need of a client, found out by a few exchanges before the first case. */
export const CLIENT_FEATURES: Readonly<Record<string, string>> = {
  push: "the client does not disable push (ENABLE_PUSH)",
  "no-push": "the client disables push (ENABLE_PUSH=0)",
  "default-frame-size": "the client keeps MAX_FRAME_SIZE at 16,384",
  "dynamic-table": "the client allows a dynamic table (HEADER_TABLE_SIZE is not 0)",
  "list-limit": "the client announces MAX_HEADER_LIST_SIZE",
  "small-window": "the client's windows are at most 16 MiB, so that they can be filled",
  "exit-status": "the command ends with a status other than 0 when its request was reset",
  "resets-malformed": "the client treats a malformed response as a stream error, not as a connection error",
  "request-body": "the client sends content with its request",
  "big-upload": "the client sends at least 131,072 octets of content with its request",
  "large-request": "the field block of the request is larger than one frame of 16,384 octets",
  "second-request": "after its first response the client sends a second request on the same connection",
  "stream-limit": "the client announces MAX_CONCURRENT_STREAMS of at most 1,000",
  tls: "the client is given an https: address",
  clear: "the client is given an http: address",
};

const resets = ({ log }: Http2Stage): boolean => log.seen.some(isErrorReset) && !log.seen.some(isErrorGoaway);
const FILLABLE = 16_777_216;

/** One exchange of the probe. */
export type Trial = Pick<Case, "steps"> & { readonly fence: Fence };

/** A plain exchange. */
export const PLAIN: Trial = { steps: answerWith(respond(), content()), fence: "exit" };

/** An exchange that fails, to see whether the exit status reports it. */
export const RESET: Trial = {
  steps: answerWith({ type: "RST_STREAM", stream: "request", code: "INTERNAL_ERROR" }),
  fence: "exit",
};

/** An exchange with a malformed response, to see how the client treats it. */
export const MALFORMED: Trial = { steps: answerWith(responseWithoutStatus), fence: "exit" };

/** More than the initial connection window takes, twice. */
const BIG = 131_072;

/** An exchange whose response waits for the content of the request. Only for a client whose request has content. */
export const UPLOAD: Trial = {
  steps: [...untilRequest, { do: "await", see: { see: "content", stream: "request", octets: BIG } }, send(respond(), content())],
  fence: "exit",
};

/** The exchanges of the probe. */
export type Trials = {
  readonly plain: Http2Stage;
  readonly failing: Http2Stage;
  readonly malformed: Http2Stage;
  /** Undefined for a client whose request has no content. */
  readonly upload: Http2Stage | undefined;
};

/** Whether the client's request has content. */
export const hasUpload = ({ log }: Http2Stage): boolean => requestsIn(log.seen)[0]?.section?.endStream === false;

/** The features that the exchanges show. */
export function clientFeatures({ plain: stage, failing, malformed, upload }: Trials): Map<string, Feature> {
  const settings = stage.wire.theirSettings;
  const push = settings.get("ENABLE_PUSH");
  const size = settings.get("MAX_FRAME_SIZE") ?? DEFAULTS.maxFrameSize;
  const [request] = requestsIn(stage.log.seen);
  const windows = Math.max(stage.wire.theirWindows.connection, stage.wire.theirWindows.stream(request?.frame.stream ?? 1));
  const sent = upload?.sees({ see: "content", stream: "request", octets: BIG }) === true;
  const streams = settings.get("MAX_CONCURRENT_STREAMS");
  const block = request?.section?.block.length ?? 0;
  const requests = requestsIn(stage.log.seen).filter(({ on }) => on === 0).length;
  const is = (has: boolean, how: string): Feature => ({ has, how });
  const announced = (name: string): string =>
    settings.has(name) ? `it announces ${name}=${settings.get(name)}` : `it does not announce ${name}`;
  const method = fieldOf(request?.section?.fields ?? [], ":method") ?? "nothing";
  return new Map([
    ["push", is(push !== 0, announced("ENABLE_PUSH"))],
    ["no-push", is(push === 0, announced("ENABLE_PUSH"))],
    ["default-frame-size", is(size === DEFAULTS.maxFrameSize, announced("MAX_FRAME_SIZE"))],
    ["dynamic-table", is(settings.get("HEADER_TABLE_SIZE") !== 0, announced("HEADER_TABLE_SIZE"))],
    ["list-limit", is(settings.has("MAX_HEADER_LIST_SIZE"), announced("MAX_HEADER_LIST_SIZE"))],
    ["small-window", is(windows <= FILLABLE, `its windows reach ${windows} octets`)],
    ["exit-status", is(!failing.log.seen.some(isGoodExit), "it ended with status 0 although its request was reset")],
    ["resets-malformed", is(resets(malformed), "it did not answer a response without :status with RST_STREAM alone")],
    ["request-body", is(request !== undefined && request.section?.endStream === false, `its request was ${method} without content`)],
    ["big-upload", is(sent, `its request was ${method} with less than ${BIG} octets of content`)],
    ["large-request", is(block > DEFAULTS.maxFrameSize, `the field block of its request has ${block} octets`)],
    ["second-request", is(requests > 1, "it sent one request on its connection")],
    ["stream-limit", is(streams !== undefined && streams <= 1000, announced("MAX_CONCURRENT_STREAMS"))],
    ["tls", is(stage.target.scheme === "https", `the address is ${stage.target.scheme}:`)],
    ["clear", is(stage.target.scheme === "http", `the address is ${stage.target.scheme}:`)],
  ]);
}
