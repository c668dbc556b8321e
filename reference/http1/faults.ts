import type { SpecRef } from "../core/index.ts";

/** `status`: the server's response before it closes; 0 for a fault that only a client meets. */
type Rule = { readonly status: number; readonly spec: SpecRef };
const rule = (status: number, spec: SpecRef): Rule => ({ status, spec });

/** Every way in which a peer can break HTTP/1.1: the status of the refusal, and the section of the rule. */
export const FAULTS = {
  // Start lines.
  methodInvalid: rule(400, "rfc9112#3.1"),
  methodTooLong: rule(501, "rfc9112#3"),
  targetInvalid: rule(400, "rfc9112#3.2"),
  targetTooLong: rule(414, "rfc9112#3"),
  requestLineInvalid: rule(400, "rfc9112#3"),
  versionInvalid: rule(400, "rfc9112#2.3"),
  versionUnsupported: rule(505, "rfc9110#15.6.6"),
  tooManyEmptyLines: rule(400, "rfc9112#2.2"),
  statusLineInvalid: rule(0, "rfc9112#4"),

  // Lines and fields.
  bareCr: rule(400, "rfc9112#2.2"),
  bareLf: rule(400, "rfc9112#2.2"),
  spaceBeforeFields: rule(400, "rfc9112#2.2"),
  lineFolded: rule(400, "rfc9112#5.2"),
  spaceBeforeColon: rule(400, "rfc9112#5.1"),
  colonMissing: rule(400, "rfc9112#5"),
  fieldNameInvalid: rule(400, "rfc9110#5.1"),
  fieldValueInvalid: rule(400, "rfc9110#5.5"),
  fieldsTooLarge: rule(431, "rfc9110#5.4"),
  tooManyFields: rule(431, "rfc9110#5.4"),

  // The request as a whole.
  hostMissing: rule(400, "rfc9112#3.2"),
  hostRepeated: rule(400, "rfc9112#3.2"),
  hostInvalid: rule(400, "rfc9112#3.2"),
  connectionInvalid: rule(400, "rfc9110#7.6.1"),
  connectWithContent: rule(400, "rfc9110#9.3.6"),
  expectationUnknown: rule(417, "rfc9110#10.1.1"),

  // The end of a message, in the order of section 6.3.
  codingFromHttp10: rule(400, "rfc9112#6.1"),
  codingInvalid: rule(400, "rfc9112#7"),
  codingNotFinal: rule(400, "rfc9112#6.3"),
  codingUnknown: rule(501, "rfc9112#6.1"),
  lengthAndCoding: rule(400, "rfc9112#6.3"),
  contentLengthInvalid: rule(400, "rfc9112#6.3"),
  contentLengthRepeated: rule(400, "rfc9112#6.3"),
  contentTooLarge: rule(413, "rfc9110#15.5.14"),
  endedEarly: rule(400, "rfc9112#8"),

  // Chunks.
  chunkSizeInvalid: rule(400, "rfc9112#7.1"),
  chunkExtensionInvalid: rule(400, "rfc9112#7.1.1"),
  chunkExtensionsTooLong: rule(413, "rfc9112#7.1.1"),
  chunkNotEnded: rule(400, "rfc9112#7.1"),
  tooManyTinyChunks: rule(413, "rfc9110#15.5.14"),
  trailersTooLarge: rule(431, "rfc9112#7.1.2"),

  // Time.
  headLate: rule(408, "rfc9110#15.5.9"),
  contentLate: rule(408, "rfc9110#15.5.9"),

  // Only a client can meet these.
  responseUnasked: rule(0, "rfc9112#9.2"),
  switchUnasked: rule(0, "rfc9110#7.8"),
  tooManyInterims: rule(0, "rfc9110#15.2"),
} as const satisfies Record<string, Rule>;
export type FaultName = keyof typeof FAULTS;

/** A rule that the peer broke, as events report it. */
export type Fault = Rule & { readonly name: FaultName };
export const fault = (name: FaultName): Fault => ({ name, ...FAULTS[name] });
