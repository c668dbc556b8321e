import type { SpecRef } from "../core/index.ts";
import { Status, type StatusCode } from "./status.ts";

type Rule = { readonly status: StatusCode; readonly spec: SpecRef };
const rule = (status: StatusCode, spec: SpecRef): Rule => ({ status, spec });

/** Every way in which a peer can break the protocol inside a stream: the status of the call, and the section of the rule. */
export const FAULTS = {
  // Messages.
  flagsReserved: rule(Status.INTERNAL, "rpc-http2#requests"),
  messageCutShort: rule(Status.INTERNAL, "rpc-http2#requests"),
  messageTooLarge: rule(Status.RESOURCE_EXHAUSTED, "rpc-status#codes"),

  // Compression.
  flagWithoutEncoding: rule(Status.INTERNAL, "rpc-compression#test-cases"),
  requestEncodingUnknown: rule(Status.UNIMPLEMENTED, "rpc-compression#asymmetry"),
  responseEncodingUnknown: rule(Status.INTERNAL, "rpc-compression#asymmetry"),
  compressionInvalid: rule(Status.INTERNAL, "rpc-status#codes"),
  inflatedTooLarge: rule(Status.RESOURCE_EXHAUSTED, "rpc-status#codes"),

  // Metadata.
  binaryInvalid: rule(Status.INTERNAL, "rpc-http2#requests"),
} as const satisfies Record<string, Rule>;
export type FaultName = keyof typeof FAULTS;

/** A rule that the peer broke. `message` is for the status of the call: it names the side that refuses, and the limit if it is one. */
export type Fault = Rule & { readonly is: "fault"; readonly name: FaultName; readonly message: string };
export const fault = (name: FaultName, message: string): Fault => ({ is: "fault", name, ...FAULTS[name], message });
