import { field, Misuse, type Field } from "../core/index.ts";
import { isToken, parseDecimal, trimSpace, type Fields, type RequestHead } from "../http/index.ts";
import type { Agreement } from "./deflate.ts";
import { readExtensions, writeExtensions } from "./extensions.ts";
import { handshakeFault, type HandshakeFault, type HandshakeFaultName } from "./handshake-faults.ts";
import { refusedOrigin, type OriginPolicy } from "./origin.ts";
import { answerDeflate, offerDeflate, PERMESSAGE_DEFLATE, readDeflateAnswer, type DeflatePolicy } from "./permessage-deflate.ts";

/** What the opening handshakes of all carriers have in common (rfc6455#4): version, origin, subprotocol, extensions. */

/** The SHA-1 digest of an ASCII text, 20 octets; the platform provides it. */
export type Sha1 = (text: string) => Uint8Array;

const VERSION = "13";

/** What a server accepts. */
export type ServerPolicy = {
  readonly origins?: OriginPolicy;
  /** Supported subprotocols: the first offered one among them is chosen; or a function that chooses from the offer. */
  readonly subprotocols?: readonly string[] | ((offered: readonly string[]) => string | undefined);
  /** Agrees to compression if given. */
  readonly deflate?: DeflatePolicy;
};
/** The response to a valid handshake. */
export type Accepted = {
  readonly is: "accepted";
  readonly status: 101 | 200;
  /** The fields of the response, except Upgrade and Connection, which HTTP/1.1 adds itself. */
  readonly fields: readonly Field[];
  readonly subprotocol: string | undefined;
  /** The value of Sec-WebSocket-Extensions; empty without any. */
  readonly extensions: string;
  readonly deflate: Agreement | undefined;
};
/** The response to an invalid handshake. `why` is a line for the content. */
export type Refused = {
  readonly is: "refused";
  readonly fault: HandshakeFault;
  readonly status: number;
  readonly fields: readonly Field[];
  readonly why: string;
};

/** What a client offers. */
export type ClientPolicy = {
  readonly subprotocols?: readonly string[];
  /** Offers compression if given. */
  readonly deflate?: DeflatePolicy;
  /** The Origin field, as a browser sends it (rfc6454#7). */
  readonly origin?: string;
};
/** What a client has sent, to judge the response by. */
export type Offer = {
  readonly fields: readonly Field[];
  /** HTTP/1.1 alone. */
  readonly key?: string;
  readonly subprotocols: readonly string[];
  readonly deflate: DeflatePolicy | undefined;
};
/** A client's judgement of a response. `declined`: an ordinary HTTP response, to be handled as such (rfc6455#4.1). */
export type Answer =
  | { readonly is: "established"; readonly subprotocol: string | undefined; readonly deflate: Agreement | undefined }
  | { readonly is: "declined"; readonly status: number }
  | HandshakeFault;

/** The refusal of a fault, with the status of its rule; its content is `why`, or the fault's name, and the section. */
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

/** What is answered to a valid request. */
type Agreed = {
  readonly is: "agreed";
  readonly subprotocol: string | undefined;
  readonly extensions: string;
  readonly deflate: Agreement | undefined;
  readonly fields: readonly Field[];
};

const VERSION_FIELD: Field = field("Sec-WebSocket-Version", VERSION);

/** Judges version, origin, subprotocols and extensions of a request: the refusal, or the parts of the response. */
export function judge({ fields, scheme, authority }: RequestHead, policy: ServerPolicy): Refused | Agreed {
  const versions = fields.all("sec-websocket-version");
  const [given] = versions;
  if (given === undefined) return refused("versionMissing", "Sec-WebSocket-Version is missing", [VERSION_FIELD]);
  const version = versions.length === 1 ? parseDecimal(given) : -1;
  if (version < 0 || version > 255 || String(version) !== given) return refused("versionInvalid", "", [VERSION_FIELD]);
  if (given !== VERSION) return refused("versionUnsupported", `version ${version} is not supported, use ${VERSION}`, [VERSION_FIELD]);

  const [origin, ...more] = fields.all("origin");
  if (more.length > 0) return refused("originRepeated");
  if (origin !== undefined) {
    const why = refusedOrigin(origin, policy.origins, scheme, authority);
    if (why !== undefined) return refused("originForbidden", why);
  }

  const offered = readSubprotocols(fields);
  if (typeof offered === "string") return refused(offered);
  const offers = readExtensions(fields.all("sec-websocket-extensions"));
  if (offers === undefined) return refused("extensionsInvalid");

  const answer: Field[] = [];
  const subprotocol = choose(offered, policy.subprotocols);
  if (subprotocol !== undefined) answer.push(field("Sec-WebSocket-Protocol", subprotocol));
  const compression = policy.deflate === undefined ? undefined : answerDeflate(offers, policy.deflate);
  const extensions = compression === undefined ? "" : writeExtensions([compression.answer]);
  if (extensions !== "") answer.push(field("Sec-WebSocket-Extensions", extensions));
  return { is: "agreed", subprotocol, extensions, deflate: compression?.agreed, fields: answer };
}

/** The subprotocols that a client offers: distinct tokens (rfc6455#4.1). */
function readSubprotocols(fields: Fields): readonly string[] | "protocolsInvalid" | "protocolsRepeated" {
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
function choose(offered: readonly string[], wanted: ServerPolicy["subprotocols"]): string | undefined {
  if (typeof wanted !== "function") return offered.find((name) => wanted?.includes(name));
  const chosen = wanted(offered);
  if (chosen !== undefined && !offered.includes(chosen)) throw new Misuse(`the subprotocol ${chosen} was not offered (rfc6455#4.2.2)`);
  return chosen;
}

/** The fields of a request over any carrier. */
export function offerFields({ subprotocols = [], deflate, origin }: ClientPolicy): Field[] {
  const bad = subprotocols.find((name, i) => !isToken(name) || subprotocols.indexOf(name) !== i);
  if (bad !== undefined) throw new Misuse(`the subprotocol ${JSON.stringify(bad)} is not a token, or is repeated (rfc6455#4.1)`);
  const fields = [VERSION_FIELD];
  if (subprotocols.length > 0) fields.push(field("Sec-WebSocket-Protocol", subprotocols.join(", ")));
  if (deflate !== undefined) fields.push(field("Sec-WebSocket-Extensions", writeExtensions([offerDeflate(deflate)])));
  if (origin !== undefined) fields.push(field("Origin", origin));
  return fields;
}

/** Judges subprotocol and extensions of a response that accepts. */
export function settle(fields: Fields, offer: Offer): Answer {
  const subprotocols = fields.all("sec-websocket-protocol");
  if (subprotocols.length > 1) return handshakeFault("protocolRepeated");
  const [subprotocol] = subprotocols;
  if (subprotocol !== undefined && !offer.subprotocols.includes(subprotocol)) return handshakeFault("protocolUnasked");
  const extensions = readExtensions(fields.all("sec-websocket-extensions"));
  if (extensions === undefined) return handshakeFault("extensionsInvalid");
  const [extension] = extensions;
  if (extension === undefined) return { is: "established", subprotocol, deflate: undefined };
  if (offer.deflate === undefined || extensions.some(({ name }) => name !== PERMESSAGE_DEFLATE)) return handshakeFault("extensionUnasked");
  if (extensions.length > 1) return handshakeFault("extensionRepeated");
  const agreed = readDeflateAnswer(extension, offer.deflate);
  return agreed === undefined ? handshakeFault("compressionUnacceptable") : { is: "established", subprotocol, deflate: agreed };
}
