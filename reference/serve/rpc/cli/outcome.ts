import { type Contract, loadContract } from "../../../rpc/contract/index.ts";
import { CallFailed } from "../../../rpc/index.ts";
import type { Any } from "../../../rpc/message/well-known/index.ts";
import { ConnectFailed } from "../../errors.ts";
import { NoReflection } from "../reflection/ask.ts";
import { BadInput } from "./json-messages.ts";
import { typesOf } from "./json-types.ts";

/** The exit status of a call that the server refused: this and the number of the status. */
const REFUSED = 64;
const WRONG = 2;
const UNREACHED = 3;

/** Reports why a command failed, and returns its exit status. */
export function report(error: unknown, contract?: Contract): number {
  const unreached = connectFailure(error);
  if (unreached !== undefined) {
    console.error(`touchstone rpc: ${unreached.message}`);
    return UNREACHED;
  }
  if (error instanceof CallFailed) {
    console.error(`${error.statusName} (${error.status}): ${error.message}`);
    for (const line of detailsOf(error, contract)) console.error(`  ${line}`);
    return REFUSED + error.status;
  }
  if (!(error instanceof BadInput) && !(error instanceof NoReflection) && process.env["TOUCHSTONE_DEBUG"] !== undefined)
    console.error(error);
  console.error(`touchstone rpc: ${error instanceof Error ? error.message : String(error)}`);
  return WRONG;
}

const connectFailure = (error: unknown): ConnectFailed | undefined => {
  if (error instanceof ConnectFailed) return error;
  return error instanceof CallFailed && error.cause instanceof ConnectFailed ? error.cause : undefined;
};

/** The details that existing servers send, as far as their fields are known to everybody. */
const DETAILS = `
syntax = "proto3";
package google.rpc;
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
message Status { int32 code = 1; string message = 2; repeated google.protobuf.Any details = 3; }
message ErrorInfo { string reason = 1; string domain = 2; map<string, string> metadata = 3; }
message RetryInfo { google.protobuf.Duration retry_delay = 1; }
message DebugInfo { repeated string stack_entries = 1; string detail = 2; }
message BadRequest {
  message FieldViolation { string field = 1; string description = 2; }
  repeated FieldViolation field_violations = 1;
}
message RequestInfo { string request_id = 1; string serving_data = 2; }
message ResourceInfo { string resource_type = 1; string resource_name = 2; string owner = 3; string description = 4; }
message LocalizedMessage { string locale = 1; string message = 2; }
`;

const DETAILS_FILE = "google/rpc/details.proto";

function detailsOf({ details }: CallFailed, contract: Contract | undefined): string[] {
  if (details === undefined || details.length === 0) return [];
  const loaded = loadContract([DETAILS_FILE], (path) => (path === DETAILS_FILE ? DETAILS : undefined));
  const typeOf = typesOf(...(contract === undefined ? [] : [contract]), ...(loaded.is === "contract" ? [loaded.contract] : []));
  try {
    const status = typeOf("google.rpc.Status")?.decode(details) as { readonly details?: readonly Any[] } | undefined;
    return (status?.details ?? []).map(({ typeUrl, value }) => {
      const name = typeUrl.slice(typeUrl.lastIndexOf("/") + 1);
      const type = typeOf(name);
      return `${name}: ${type === undefined ? Buffer.from(value).toString("base64") : JSON.stringify(type.toJson(type.decode(value), { typeOf }))}`;
    });
  } catch {
    return [`details: ${Buffer.from(details).toString("base64")}`];
  }
}
