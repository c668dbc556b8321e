import type { Content } from "../../http/index.ts";
import { ErrorCode } from "../../http2/index.ts";
import {
  type AnyMethod,
  type CallOptions,
  CallFailed,
  type ClientSetup,
  type Ended,
  Inbound,
  readHead,
  readTrailers,
  type RequestHeads,
  Status,
  type StatusCode,
  statusOfReset,
} from "../../rpc/index.ts";
import type { AnyClientConnection } from "../client/connection.ts";
import type { ClientRequest } from "../client/request.ts";
import { StreamFailed } from "../errors.ts";
import { type CallEnd, type CallWatch, counted } from "./call-watch.ts";
import { ReceivedMessages } from "./received-messages.ts";
import type { SendCall } from "./web/send-web.ts";

/** What all calls of a channel share. */
export type ChannelSetup = ClientSetup & {
  readonly heads: RequestHeads;
  readonly limit: number;
  /** Sends the requests of a web dialect; those of HTTP/2 are sent as they are. */
  readonly send?: SendCall;
};

/** What the attempts of one call share. */
export type AskedCall = {
  readonly method: AnyMethod;
  readonly options: CallOptions;
  /** As `performance.now()` counts. */
  readonly deadline: number | undefined;
  readonly attempts: number;
  /** Called when the call has ended after its headers. */
  readonly ended?: (status: StatusCode) => void;
};

/** The server has answered a call with a status in place of headers. */
export class Refusal extends CallFailed {
  readonly pushBack: string | undefined;

  constructor({ status: { code, message, details }, metadata, pushBack }: Ended) {
    super(code, message, { details, metadata });
    this.pushBack = pushBack;
  }
}

/** A connection, and what hears of the attempt on it. */
type Line = { readonly connection: AnyClientConnection; readonly watch: CallWatch | undefined };

/** Sends a call on a connection; resolves to its responses when their headers have arrived. */
export async function attempt<Response>(
  { connection, watch }: Line,
  setup: ChannelSetup,
  { method, options, deadline, attempts, ended }: AskedCall,
  given: Content,
): Promise<ReceivedMessages<Response>> {
  const { dialect, compressors, limit, heads } = setup;
  const { signal, metadata, encoding } = options;
  const body = watch === undefined ? given : watched(given, watch);
  const timeoutMs = deadline === undefined ? undefined : Math.max(0, deadline - performance.now());
  const fields = heads.fields({ timeoutMs, encoding, metadata, attempts });
  const wanted: ClientRequest = {
    method: "POST",
    path: method.path,
    fields: fields.map(({ name, value }) => [name, value] as const),
    body,
    stopsWhenAnswered: true,
    ...(signal !== undefined && { signal }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
  const response = setup.send === undefined ? await connection.request(wanted) : await setup.send(connection, wanted, method);
  const head = readHead(response.status, response.fields, dialect);
  const failed = (end: Ended): Refusal | undefined => {
    options.onTrailers?.(end.metadata);
    return end.status.code === Status.OK ? undefined : new Refusal(end);
  };
  if (head.is === "headers") options.onHeaders?.(head.metadata);
  else {
    const failure = failed(head);
    if (failure !== undefined) {
      // Content of another protocol is of no use.
      void response.body[Symbol.asyncIterator]().return?.();
      throw failure;
    }
  }
  const received = head.is === "headers" ? head.encoding : undefined;
  const inbound = new Inbound({ side: "client", encoding: received, compressors, limit }, method.responseStream);
  return new ReceivedMessages<Response>(response.body, inbound, method.response, {
    received: watch?.received,
    left: () => watch?.ended("left"),
    explain: (error) => {
      watch?.ended(endOf(error));
      return explain(error, deadline);
    },
    ended: async () => {
      const trailers = await response.body.trailers;
      // A status beside a response that goes on is not its last word.
      const hasMore = head.is === "headers" || trailers.list.length > 0;
      const end = hasMore ? readTrailers(trailers, response.status, dialect) : undefined;
      const failure = end && failed(end);
      ended?.(failure?.status ?? Status.OK);
      watch?.ended(failure === undefined ? "good" : "bad", end?.metadata);
      return failure;
    },
  });
}

/** How an attempt that failed has ended. */
export function endOf(error: unknown): CallEnd {
  if (error instanceof Refusal) return "bad";
  return error instanceof StreamFailed && error.reason === "aborted" ? "left" : "broken";
}
function watched(content: Content, watch: CallWatch): Content {
  if (typeof content !== "string" && !(content instanceof Uint8Array)) return counted(content, watch);
  watch.sent();
  return content;
}

/** The status of a call that ended without one (rpc-http2#errors). */
export function explain(error: unknown, deadline: number | undefined): CallFailed {
  if (error instanceof CallFailed) return error;
  const isLate = deadline !== undefined && performance.now() >= deadline;
  const status = error instanceof StreamFailed ? statusOfFailure(error) : Status.INTERNAL;
  // rpc-http2#cancellation
  if (status === Status.DEADLINE_EXCEEDED || (status === Status.CANCELLED && isLate))
    return new CallFailed(Status.DEADLINE_EXCEEDED, "The deadline of the call has passed.", { cause: error });
  const words = error instanceof Error ? error.message : String(error);
  return new CallFailed(status, `The call has failed: ${words}`, { cause: error });
}

function statusOfFailure({ reason, errorCode }: StreamFailed): StatusCode {
  switch (reason) {
    case "refused":
    case "closed":
    case "unanswered":
    case "truncated":
      return Status.UNAVAILABLE;
    case "reset":
      return errorCode === undefined ? Status.UNAVAILABLE : statusOfReset(ErrorCode[errorCode]);
    case "fault":
      return Status.INTERNAL;
    case "aborted":
      return Status.CANCELLED;
    case "timeout":
      return Status.DEADLINE_EXCEEDED;
  }
}
