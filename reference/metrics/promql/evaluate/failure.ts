/** Why a query failed; the query API maps these to its error types (Prometheus docs, querying/api.md, "Format overview"). */
export type FailureKind = "timeout" | "canceled" | "execution" | "unavailable";

/** A query failed. Other queries are not affected, and its memory is free. */
export class QueryFailure extends Error {
  override readonly name: string = "QueryFailure";
  readonly code: string = "QUERY_FAILURE";
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** `--query.timeout` passed. */
export class QueryTimedOut extends QueryFailure {
  override readonly name = "QueryTimedOut";
  override readonly code = "QUERY_TIMED_OUT";
  constructor(during = "expression evaluation") {
    super("timeout", `query timed out in ${during}`);
  }
}

/** The caller no longer wants the answer. */
export class QueryCanceled extends QueryFailure {
  override readonly name = "QueryCanceled";
  override readonly code = "QUERY_CANCELED";
  constructor(during = "expression evaluation") {
    super("canceled", `query was canceled in ${during}`);
  }
}

/** `--query.max-samples` would be exceeded. */
export class TooManySamples extends QueryFailure {
  override readonly name = "TooManySamples";
  override readonly code = "TOO_MANY_SAMPLES";
  constructor() {
    super("execution", "query processing would load too many samples into memory in query execution");
  }
}

/** Together with the other queries of the server, the query would hold too many samples; it may succeed later. */
export class ServerBusy extends QueryFailure {
  override readonly name = "ServerBusy";
  override readonly code = "SERVER_BUSY";
  constructor() {
    super("unavailable", "the queries of this server hold too many samples in memory together: try again later");
  }
}

/** The expression cannot be evaluated on this data. */
export class ExecutionFailure extends QueryFailure {
  override readonly name = "ExecutionFailure";
  override readonly code = "EXECUTION_FAILURE";
  constructor(message: string) {
    super("execution", message);
  }
}

/** Two elements of a result would be the same series. */
export const sameLabels = (): ExecutionFailure => new ExecutionFailure("vector cannot contain metrics with the same labelset");
