/** Why a query ended without an answer; the query interface makes its own error types of them (Prometheus docs, querying/api.md, "Format overview"). */
export type FailureKind = "timeout" | "canceled" | "execution";

/** A query that cannot be answered. It fails alone, and what it held in memory is free. */
export class QueryFailure extends Error {
  override readonly name: string = "QueryFailure";
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** `--query.timeout` passed. */
export class QueryTimedOut extends QueryFailure {
  override readonly name = "QueryTimedOut";
  constructor(during = "expression evaluation") {
    super("timeout", `query timed out in ${during}`);
  }
}

/** Whoever asked does not want the answer any more. */
export class QueryCanceled extends QueryFailure {
  override readonly name = "QueryCanceled";
  constructor(during = "expression evaluation") {
    super("canceled", `query was canceled in ${during}`);
  }
}

/** `--query.max-samples` would be exceeded. */
export class TooManySamples extends QueryFailure {
  override readonly name = "TooManySamples";
  constructor() {
    super("execution", "query processing would load too many samples into memory in query execution");
  }
}

/** What the expression asks of the data cannot be done. */
export class ExecutionFailure extends QueryFailure {
  override readonly name = "ExecutionFailure";
  constructor(message: string) {
    super("execution", message);
  }
}

/** Two elements of a result would be the same series. */
export const sameLabels = (): ExecutionFailure => new ExecutionFailure("vector cannot contain metrics with the same labelset");
