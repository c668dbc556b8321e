/**
 * Every error class of the package (`@touchstone-suite/touchstone/errors`). Each has a `code` that stays the same from version to version; `instanceof` works
 * too, whichever entry the class came from.
 */
export { Unreachable, WrongUse } from "./conformance/harness/driver.ts";
export { Bug, Misuse } from "./reference/core/outcome.ts";
export { BadPattern } from "./reference/metrics/model/matcher.ts";
export {
  ExecutionFailure,
  QueryCanceled,
  QueryFailure,
  QueryTimedOut,
  ServerBusy,
  TooManySamples,
} from "./reference/metrics/promql/evaluate/failure.ts";
export { Damage, Foreign } from "./reference/metrics/tsdb/files/damage.ts";
export { FileFault } from "./reference/metrics/tsdb/files/files.ts";
export { CallFailed } from "./reference/rpc/call-failed.ts";
export { MalformedMessage } from "./reference/rpc/message/malformed.ts";
export { ConnectFailed, StreamFailed } from "./reference/serve/errors.ts";
export { HandshakeFailed } from "./reference/serve/websocket/client.ts";
export { VectorFileError } from "./vectors/load.ts";
export { DamagedFile } from "./reports/damaged.ts";
