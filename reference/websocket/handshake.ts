import { field, Misuse, type Field } from "../core/index.ts";
import { isToken, parseDecimal, trimSpace, type Fields, type RequestHead } from "../http/index.ts";
import type { Agreement } from "./deflate.ts";
import { readExtensions, writeExtensions, type Extension } from "./extensions.ts";
import { handshakeFault, type HandshakeFault, type HandshakeFaultName } from "./handshake-faults.ts";
import { refusedOrigin, type OriginPolicy } from "./origin.ts";
import { answerDeflate, offerDeflate, PERMESSAGE_DEFLATE, readDeflateAnswer, type DeflatePolicy } from "./permessage-deflate.ts";

/** What the opening handshakes of all carriers have in common (rfc6455#4): version, origin, sub-protocol, extensions. */

/** The SHA-1 digest of a text of ASCII, 20 octets: the platform's, since protocols bring none. */
export type Sha1 = (text: string) => Uint8Array;

const VERSION = "13";

/** What a server wants. */
export type ServerPolicy = {
  readonly origins?: OriginPolicy;
  /** Sub-protocols that the server speaks: the first of the client's that is among them is chosen; or what a function chooses of them. */
  readonly protocols?: readonly string[] | ((offered: readonly string[]) => string | undefined);
  /** Compression is agreed to where this is given. */
  readonly deflate?: DeflatePolicy;
};
/** The handshake is lawful, and answered with this. */
export type Accepted = {
  readonly is: "accepted";
  readonly status: 101 | 200;
  /** All that the response needs but Upgrade and Connection, which HTTP/1.1 adds by itself. */
  readonly fields: readonly Field[];
  readonly protocol: string | undefined;
  readonly deflate: Agreement | undefined;
};
/** It is not, and is answered with this. `why` is a line for the content. */
export type Refused = {
  readonly is: "refused";
  readonly fault: HandshakeFault;
  readonly status: number;
  readonly fields: readonly Field[];
  readonly why: string;
};

/** What a client wants. */
export type ClientWishes = {
  readonly protocols?: readonly string[];
  /** Compression is offered where this is given. */
  readonly deflate?: DeflatePolicy;
  /** What browsers say of the page (rfc6454#7). */
  readonly origin?: string;
};
/** What a client has sent: to be kept for the answer. */
export type Offer = {
  readonly fields: readonly Field[];
  /** HTTP/1.1 alone. */
  readonly key?: string;
  readonly protocols: readonly string[];
  readonly deflate: DeflatePolicy | undefined;
};
/** What a client makes of a response. `declined`: it is one of HTTP, to be dealt with as such (rfc6455#4.1). */
export type Answer =
  | { readonly is: "established"; readonly protocol: string | undefined; readonly deflate: Agreement | undefined }
  | { readonly is: "declined"; readonly status: number }
  | HandshakeFault;

/**
 * The answer to a breach, with the status of its rule; the line for the content is `why`, or else the fault's name, and the section in
 * parentheses.
 */
export function refused(name: HandshakeFaultName, why = "", fields: readonly Field[] = []): Refused {
  const found = handshakeFault(name);
  return {
    is: "refused",
    fault: found,
    status: found.status,
    fields,
    why: why === "" ? `${name} (${found.spec})` : `${why} (${found.spec})`,
  };
}

const VERSION_FIELD: Field = field("Sec-WebSocket-Version", VERSION);

/** Version, origin, sub-protocol and extensions of a request: the refusal, or what is to be answered. */
export function judge(
  { fields, scheme, authority }: RequestHead,
  policy: ServerPolicy,
): Refused | { readonly protocol: string | undefined; readonly deflate: Agreement | undefined; readonly fields: readonly Field[] } {
  const versions = fields.all("sec-websocket-version");
  if (versions.length === 0) return refused("versionMissing", "Sec-WebSocket-Version is missing", [VERSION_FIELD]);
  const version = versions.length === 1 ? parseDecimal(versions[0]!) : -1;
  if (version < 0 || version > 255 || String(version) !== versions[0]) return refused("versionInvalid", "", [VERSION_FIELD]);
  if (versions[0] !== VERSION)
    return refused("versionUnsupported", `version ${version} is not spoken here, ${VERSION} is`, [VERSION_FIELD]);

  const origins = fields.all("origin");
  if (origins.length > 1) return refused("originRepeated");
  if (origins.length === 1) {
    const why = refusedOrigin(origins[0]!, policy.origins, scheme, authority);
    if (why !== undefined) return refused("originForbidden", why);
  }

  const protocols = readProtocols(fields);
  if (typeof protocols === "string") return refused(protocols);
  const offers = readExtensions(fields.all("sec-websocket-extensions"));
  if (offers === undefined) return refused("extensionsInvalid");

  const said: Field[] = [];
  const protocol = choose(protocols, policy.protocols);
  if (protocol !== undefined) said.push(field("Sec-WebSocket-Protocol", protocol));
  const compression = policy.deflate === undefined ? undefined : answerDeflate(offers, policy.deflate);
  if (compression !== undefined) said.push(field("Sec-WebSocket-Extensions", writeExtensions([compression.answer])));
  return { protocol, deflate: compression?.agreed, fields: said };
}

/** The sub-protocols that a client offers: tokens, each once (rfc6455#4.1). */
function readProtocols(fields: Fields): readonly string[] | "protocolsInvalid" | "protocolsRepeated" {
  const found = new Set<string>();
  for (const line of fields.all("sec-websocket-protocol")) {
    const before = found.size;
    for (const part of line.split(",")) {
      const name = trimSpace(part);
      if (name === "") continue;
      if (!isToken(name)) return "protocolsInvalid";
      if (found.has(name)) return "protocolsRepeated";
      found.add(name);
    }
    if (found.size === before) return "protocolsInvalid";
  }
  return [...found];
}
function choose(offered: readonly string[], wanted: ServerPolicy["protocols"]): string | undefined {
  if (typeof wanted !== "function") return offered.find((name) => wanted?.includes(name));
  const chosen = wanted(offered);
  if (chosen !== undefined && !offered.includes(chosen)) throw new Misuse(`the sub-protocol ${chosen} was not offered (rfc6455#4.2.2)`);
  return chosen;
}

/** The fields of a request that all carriers have. */
export function wishes({ protocols = [], deflate, origin }: ClientWishes): Field[] {
  const bad = protocols.find((name, i) => !isToken(name) || protocols.indexOf(name) !== i);
  if (bad !== undefined) throw new Misuse(`the sub-protocol ${JSON.stringify(bad)} is no token, or stands twice (rfc6455#4.1)`);
  const fields = [VERSION_FIELD];
  if (protocols.length > 0) fields.push(field("Sec-WebSocket-Protocol", protocols.join(", ")));
  if (deflate !== undefined) fields.push(field("Sec-WebSocket-Extensions", writeExtensions([offerDeflate(deflate)])));
  if (origin !== undefined) fields.push(field("Origin", origin));
  return fields;
}

/** Sub-protocol and extensions of a response that accepts. */
export function settle(fields: Fields, offer: Offer): Answer {
  const protocols = fields.all("sec-websocket-protocol");
  if (protocols.length > 1) return handshakeFault("protocolRepeated");
  const [protocol] = protocols;
  if (protocol !== undefined && !offer.protocols.includes(protocol)) return handshakeFault("protocolUnasked");
  const extensions = readExtensions(fields.all("sec-websocket-extensions"));
  if (extensions === undefined) return handshakeFault("extensionsInvalid");
  if (extensions.length === 0) return { is: "established", protocol, deflate: undefined };
  if (offer.deflate === undefined || extensions.some(({ name }) => name !== PERMESSAGE_DEFLATE)) return handshakeFault("extensionUnasked");
  if (extensions.length > 1) return handshakeFault("extensionRepeated");
  const agreed = readDeflateAnswer(extensions[0] as Extension, offer.deflate);
  return agreed === undefined ? handshakeFault("compressionUnacceptable") : { is: "established", protocol, deflate: agreed };
}
