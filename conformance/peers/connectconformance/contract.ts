import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AnyMessage, loadContract, messageTypes, problemText } from "../../../reference/rpc/contract/index.ts";
import type { MessageType } from "../../../reference/rpc/message/index.ts";
import {
  type AnyMethod,
  CallFailed,
  type Metadata,
  type MetadataEntry,
  type Service,
  Status,
  statusName,
  type StatusCode,
} from "../../../reference/serve/rpc/index.ts";

/** The contract of the runner, and what its messages mean for our server and client. It stays where the Go module is installed. */

const PACKAGE = "connectrpc.conformance.v1";
const FILES = ["server_compat", "client_compat", "service"].map((name) => `connectrpc/conformance/v1/${name}.proto`);
/** The message behind `grpc-status-details-bin`: the runner's contract does not have it. */
const STATUS_FILE = "google/rpc/status.proto";
const STATUS = `
syntax = "proto3";
package google.rpc;
import "google/protobuf/any.proto";
message Status { int32 code = 1; string message = 2; repeated google.protobuf.Any details = 3; }
`;

export type Header = { readonly name: string; readonly value: readonly string[] };
export type Any = { readonly typeUrl: string; readonly value: Uint8Array };
export type Failure = { readonly code: number; readonly message?: string | undefined; readonly details: readonly Any[] };

/** The types and the service of the contract in this folder. */
export class Contract {
  readonly service: Service;
  readonly #types: ReadonlyMap<string, MessageType<AnyMessage>>;

  constructor(folder: string) {
    const read = (path: string): string | undefined => {
      if (path === STATUS_FILE) return STATUS;
      try {
        return readFileSync(join(folder, path), "utf8");
      } catch {
        return undefined;
      }
    };
    const loaded = loadContract([...FILES, STATUS_FILE], read);
    if (loaded.is === "problems") throw new Error(loaded.problems.map(problemText).join("\n"));
    const { contract } = loaded;
    this.#types = messageTypes(contract);
    const name = `${PACKAGE}.ConformanceService`;
    const methods = contract.services.get(name)?.methods ?? [];
    const typeOf = (full: string): MessageType<AnyMessage> => this.#found(full);
    this.service = {
      name,
      methods: Object.fromEntries(
        methods.map((method): [string, AnyMethod] => [
          method.name.charAt(0).toLowerCase() + method.name.slice(1),
          {
            path: `/${name}/${method.name}`,
            requestStream: method.requestStream,
            responseStream: method.responseStream,
            request: typeOf(method.request),
            response: typeOf(method.response),
            ...(method.idempotency === "unknown" ? {} : { idempotency: method.idempotency }),
          },
        ]),
      ),
    };
  }

  /** A type of the package. */
  type(name: string): MessageType<AnyMessage> {
    return this.#found(`${PACKAGE}.${name}`);
  }
  #found(name: string): MessageType<AnyMessage> {
    const type = this.#types.get(name);
    if (type === undefined) throw new Error(`the contract has no message ${name}`);
    return type;
  }

  pack(name: string, message: AnyMessage): Any {
    const type = this.type(name);
    return { typeUrl: `type.googleapis.com/${type.name}`, value: type.encode(message) };
  }
  /** The failure of a call as the contract states it, with further details. */
  thrown({ code, message = "", details }: Failure, more: readonly Any[]): CallFailed {
    const status = code as StatusCode;
    const all = [...details, ...more];
    const encoded = this.#found("google.rpc.Status").encode({ code, message, details: all });
    return new CallFailed(Status[statusName(status)], message, all.length === 0 ? {} : { details: encoded });
  }
  /** The failure of a call as the contract states it. */
  failure({ status, message, details }: CallFailed): Failure {
    const read = details === undefined ? undefined : this.#found("google.rpc.Status").decode(details);
    return { code: status, message, details: (read?.["details"] ?? []) as Any[] };
  }
}

/** Metadata of which binary values are Base64, as the contract writes them. */
export const entriesOf = (headers: readonly Header[]): MetadataEntry[] =>
  headers.flatMap(({ name, value }) =>
    value.map((text): MetadataEntry => ({
      name: name.toLowerCase(),
      value: name.toLowerCase().endsWith("-bin") ? Buffer.from(text, "base64") : text,
    })),
  );
export function headersOf(metadata: Metadata | readonly MetadataEntry[]): Header[] {
  const values = new Map<string, string[]>();
  for (const { name, value } of metadata) {
    const text = typeof value === "string" ? value : Buffer.from(value).toString("base64").replace(/=+$/, "");
    values.set(name, [...(values.get(name) ?? []), text]);
  }
  return [...values].map(([name, value]) => ({ name, value }));
}
