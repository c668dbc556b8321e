import type { RequirementRef } from "../../../harness/case.ts";
import type { AnyVector, FramesVector } from "../../../../vectors/websocket/source/craft.ts";
import { fromHex } from "../../../wire/octets.ts";
import { Side } from "../../../wire/websocket/read.ts";

/**
 * Which requirement a vector covers: by its file and its fault, or, if it is valid, by its flag. "own" where it only covers a choice of this
 * project: a limit, or the allowed origins without configuration. Rules may depend on a vector's name, which is permanent, but not on its
 * note.
 */

type Refs = readonly [RequirementRef, ...RequirementRef[]];
type Rule = Refs | "own" | ((vector: AnyVector) => Refs | "own");

const FAULTS: Readonly<Record<string, Rule>> = {
  reservedBitSet: ["rfc6455#5.2/rsv"],
  opcodeReserved: ["rfc6455#5.2/reserved-opcode"],
  lengthNotMinimal: ["rfc6455#5.2/minimal-length"],
  lengthTopBitSet: ["rfc6455#5.2/length-top-bit"],
  messageTooLarge: "own",
  maskMissing: ["rfc6455#5.1/unmasked", "rfc6455#5.1/client-masks"],
  maskForbidden: ["rfc6455#5.1/masked", "rfc6455#5.1/server-masks-not"],
  controlTooLong: ["rfc6455#5.5/control-length"],
  controlFragmented: ["rfc6455#5.4/control-fragmented"],
  messageInterrupted: ["rfc6455#5.4/interleaved"],
  continuationUnexpected: ["rfc6455#5.4/stray-continuation"],
  closeTooShort: ["rfc6455#5.5.1/code"],
  closeCodeInvalid: (vector) => ("wire" in vector ? [codeRule(closeCodeOf(vector))] : "own"),
  closeReasonInvalid: ["rfc6455#8.1/reason"],
  textInvalid: (vector) => ("deflate" in vector ? ["rfc7692#7.2.2/utf-8", "rfc6455#8.1/utf-8"] : ["rfc6455#8.1/utf-8"]),
  compressionInvalid: (vector) =>
    vector.flags.includes("Context") ? ["rfc7692#7.2.2/distance", "rfc7692#7.1.1.1/server-no-takeover"] : ["rfc7692#7.2.2/corrupt"],
  compressedBitMisplaced: (vector) =>
    /continu|second|fragment|last/.test(vector.name) ? ["rfc7692#6/rsv1-continuation"] : ["rfc7692#6/rsv1-control"],

  methodNotGet: ["rfc6455#4.2.1/get"],
  versionTooOld: ["rfc6455#4.2.1/get"],
  hostMissing: ["rfc6455#4.2.1/host"],
  upgradeMissing: ["rfc6455#4.2.1/upgrade"],
  connectionMissing: ["rfc6455#4.2.1/connection"],
  keyMissing: ["rfc6455#4.2.1/key"],
  keyRepeated: ["rfc6455#4.2.1/key-decoded"],
  keyInvalid: ["rfc6455#4.2.1/key-decoded"],
  versionMissing: ["rfc6455#4.2.1/version"],
  versionInvalid: ["rfc6455#4.2.1/version"],
  versionUnsupported: ["rfc6455#4.2.2/version-offered", "rfc6455#4.2.1/version"],
  protocolsInvalid: ["rfc6455#4.1/subprotocols"],
  protocolsRepeated: ["rfc6455#4.1/subprotocols"],
  originForbidden: (vector) => ("server" in vector && vector.server.origins === undefined ? "own" : ["rfc6455#10.2/origin"]),
  originRepeated: ["rfc6455#4.2.1/refuse"],
  extensionsInvalid: ["rfc6455#9.1/syntax"],

  acceptMissing: ["rfc6455#4.1/answer-accept"],
  acceptRepeated: ["rfc6455#4.1/answer-accept"],
  acceptWrong: ["rfc6455#4.1/answer-accept"],
  upgradeWrong: ["rfc6455#4.1/answer-upgrade"],
  connectionWrong: ["rfc6455#4.1/answer-connection"],
  protocolUnasked: ["rfc6455#4.1/answer-subprotocol"],
  protocolRepeated: ["rfc6455#4.1/answer-subprotocol"],
  extensionUnasked: ["rfc6455#4.1/answer-extension"],
  extensionRepeated: ["rfc7692#5/conflict"],
  compressionUnacceptable: ["rfc7692#7/fail-value"],
};

/** Valid vectors: by file and flag. */
const VALID: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  frames: {
    Length: ["rfc6455#5.2/lengths"],
    Masked: ["rfc6455#5.3/key"],
    Control: ["rfc6455#5.5/control-length"],
    Order: ["rfc6455#6.2/message"],
    Reserved: ["rfc6455#5.2/lengths"],
  },
  fragmentation: {
    Fragments: ["rfc6455#5.4/fragments", "rfc6455#5.4/type", "rfc6455#5.4/order"],
    Interleaved: ["rfc6455#5.4/control-inside"],
  },
  close: {
    Code: ({ messages }) => [validCode(messages.flatMap((one) => ("close" in one ? [one.close] : []))[0] ?? null)],
    Reason: ["rfc6455#8.1/reason", "rfc6455#5.5.1/code"],
    Empty: ["rfc6455#5.5.1/code"],
    Side: ["rfc6455#5.5.1/code"],
  },
  utf8: {
    CodePoint: ["rfc6455#5.6/text"],
    Range: ["rfc6455#5.6/text"],
    Text: ["rfc6455#5.6/text"],
    Apart: ["rfc6455#5.6/text", "rfc6455#5.4/fragments"],
  },
  deflate: {
    Message: ["rfc7692#7.2.2/inflate", "rfc7692#7.2.2/blocks"],
    Context: ["rfc7692#7.2.3.2/takeover"],
    Final: ["rfc7692#7.2.3.4/final"],
    Bit: ["rfc7692#6.2/uncompressed"],
    Text: ["rfc7692#7.2.2/inflate"],
  },
  "rfc-examples": { Example: ["rfc6455#5.2/lengths", "rfc6455#5.3/key"], Deflate: ["rfc7692#7.2.2/inflate"] },
  "handshake-request": {
    Plain: ["rfc6455#4.2.2/response", "rfc6455#1.3/accept"],
    Upgrade: ["rfc6455#4.2.1/upgrade", "rfc6455#4.2.1/connection"],
    Key: ["rfc6455#1.3/accept"],
    Version: ["rfc6455#4.2.1/version"],
    Protocol: ["rfc6455#4.2.2/subprotocol", "rfc6455#4.2.2/subprotocol-none"],
    Origin: ["rfc6455#10.2/origin"],
    Grammar: ["rfc6455#9.1/unknown"],
    Line: ["rfc6455#4.2.1/unknown-fields"],
    Compression: offered,
  },
  "handshake-response": {
    Plain: ["rfc6455#4.1/answer-taken"],
    Protocol: ["rfc6455#4.1/answer-subprotocol"],
    Accept: ["rfc6455#4.1/answer-accept"],
    Extension: ["rfc6455#4.1/answer-extension"],
    Upgrade: ["rfc6455#4.1/answer-taken"],
    Compression: ["rfc7692#7/answer-taken"],
  },
};

/** The code of the Close frame in the octets. */
function closeCodeOf({ to, wire }: FramesVector): number {
  const side = new Side(to === "server" ? "client" : "server");
  side.push(fromHex(wire));
  return side.close?.code ?? 0;
}
function codeRule(code: number): RequirementRef {
  if ([1005, 1006, 1015].includes(code)) return "rfc6455#7.4.1/reserved";
  if (code < 1000) return "rfc6455#7.4.2/below-1000";
  return code >= 5000 ? "rfc6455#7.4.2/above" : "rfc6455#7.4.2/unregistered";
}
function validCode(code: number | null): RequirementRef {
  if (code === null) return "rfc6455#5.5.1/code";
  if (code >= 1012 && code <= 1014) return "rfc6455#7.4.2/registered";
  if (code >= 4000) return "rfc6455#7.4.2/applications";
  return code >= 3000 ? "rfc6455#7.4.2/libraries" : "rfc6455#7.4.2/defined";
}
/** An offer of compression: accepted, or declined. */
function offered({ name }: AnyVector): Refs {
  const [, parameters] = name.split("an-offer-that-cannot-be-taken-");
  if (parameters === undefined || name.endsWith("-and-one-that-can")) return ["rfc7692#7/name", "rfc7692#7.1/once"];
  if (parameters.startsWith("foo")) return ["rfc7692#7/decline-unknown"];
  return parameters === "client-no-context-takeover-client-no-context-takeover"
    ? ["rfc7692#7/decline-repeated"]
    : ["rfc7692#7/decline-value"];
}

/** The requirements that a vector of this file (`frames`, `close`, …) supports. */
export function refsOf(file: string, vector: AnyVector): Refs | undefined {
  const { fault } = vector;
  const flag = vector.flags[0] ?? "";
  const rule = fault === undefined ? VALID[file]?.[flag] : FAULTS[fault];
  if (rule === undefined) throw new Error(`${file} ${vector.id}: no requirement is known for ${fault ?? flag}`);
  const refs = typeof rule === "function" ? rule(vector) : rule;
  return refs === "own" ? undefined : refs;
}
