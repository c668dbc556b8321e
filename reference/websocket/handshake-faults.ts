import type { SpecRef } from "../core/index.ts";

/** `status`: the server's response; 0 for a fault that only a client meets, which then drops the connection (rfc6455#4.1). */
type Rule = { readonly status: number; readonly spec: SpecRef };
const rule = (status: number, spec: SpecRef): Rule => ({ status, spec });

/** Every way in which a peer can break the opening handshake: the status of the refusal, and the section of the rule. */
export const HANDSHAKE_FAULTS = {
  // A request over HTTP/1.1.
  methodNotGet: rule(405, "rfc6455#4.2.1"),
  versionTooOld: rule(400, "rfc6455#4.2.1"),
  hostMissing: rule(400, "rfc6455#4.2.1"),
  upgradeMissing: rule(426, "rfc6455#4.2.1"),
  connectionMissing: rule(400, "rfc6455#4.2.1"),
  keyMissing: rule(400, "rfc6455#4.2.1"),
  keyRepeated: rule(400, "rfc6455#11.3.1"),
  keyInvalid: rule(400, "rfc6455#4.2.1"),

  // A request over HTTP/2 or HTTP/3.
  methodNotConnect: rule(405, "rfc8441#5"),
  protocolUnknown: rule(501, "rfc9220#3"),

  // A request over any.
  versionMissing: rule(400, "rfc6455#4.2.1"),
  versionInvalid: rule(400, "rfc6455#4.3"),
  versionUnsupported: rule(426, "rfc6455#4.2.2"),
  protocolsInvalid: rule(400, "rfc6455#4.3"),
  protocolsRepeated: rule(400, "rfc6455#4.1"),
  originRepeated: rule(400, "rfc6454#7.3"),
  originForbidden: rule(403, "rfc6455#10.2"),

  // Either side.
  extensionsInvalid: rule(400, "rfc6455#9.1"),

  // A response.
  upgradeWrong: rule(0, "rfc6455#4.1"),
  connectionWrong: rule(0, "rfc6455#4.1"),
  acceptMissing: rule(0, "rfc6455#4.1"),
  acceptRepeated: rule(0, "rfc6455#11.3.3"),
  acceptWrong: rule(0, "rfc6455#4.1"),
  protocolRepeated: rule(0, "rfc6455#11.3.4"),
  protocolUnasked: rule(0, "rfc6455#4.1"),
  extensionUnasked: rule(0, "rfc6455#4.1"),
  extensionRepeated: rule(0, "rfc6455#9.1"),
  compressionUnacceptable: rule(0, "rfc7692#7.1"),
} as const satisfies Record<string, Rule>;
export type HandshakeFaultName = keyof typeof HANDSHAKE_FAULTS;

/** A rule of the handshake that the peer broke. */
export type HandshakeFault = Rule & { readonly is: "fault"; readonly name: HandshakeFaultName };
/** The fault with its status and section. */
export const handshakeFault = (name: HandshakeFaultName): HandshakeFault => ({ is: "fault", name, ...HANDSHAKE_FAULTS[name] });
