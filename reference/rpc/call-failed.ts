import type { Metadata, MetadataInit } from "./call.ts";
import type { CallStatus } from "./call-status.ts";
import { entriesOf, MetadataView } from "./metadata-view.ts";
import { statusName, type StatusCode, type StatusName } from "./status.ts";

type Details = {
  /** An encoded message with further details (rpc-http2#responses). */
  readonly details?: Uint8Array | undefined;
  /** Metadata of the trailers. A handler that throws sends it; a caller receives it. */
  readonly metadata?: MetadataInit | undefined;
  readonly cause?: unknown;
};

/** The status of a call, unless it is OK. A handler throws it to end its call; a caller receives it. */
export class CallFailed extends Error {
  override readonly name = "CallFailed";
  readonly code = "CALL_FAILED";
  /** The status code: `Status.NOT_FOUND`. */
  readonly status: StatusCode;
  readonly details: Uint8Array | undefined;
  /** Metadata of the trailers. */
  readonly metadata: Metadata;

  constructor(status: StatusCode, message: string, { details, metadata, cause }: Details = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.details = details;
    this.metadata = metadata === undefined ? MetadataView.empty : new MetadataView([...entriesOf(metadata)]);
  }

  get statusName(): StatusName {
    return statusName(this.status);
  }
  /** As trailers state it. */
  toStatus(): CallStatus {
    const { status: code, message, details } = this;
    return details === undefined ? { code, message } : { code, message, details };
  }
}
