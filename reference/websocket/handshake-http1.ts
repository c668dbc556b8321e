import { field, type Field, type Random } from "../core/index.ts";
import { parseTokens, type Fields, type RequestHead } from "../http/index.ts";
import { handshakeFault } from "./handshake-faults.ts";
import {
  judge,
  refused,
  settle,
  offerFields,
  type Accepted,
  type Answer,
  type ClientPolicy,
  type Offer,
  type Refused,
  type ServerPolicy,
  type Sha1,
} from "./handshake.ts";

/** The opening handshake over HTTP/1.1: an upgrade, proved by a key (rfc6455#4). */

/** Appended to a key before it is hashed: no server answers with the result by chance (rfc6455#1.3). */
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const KEY_OCTETS = 16;
/** Sixteen octets in base64. The spare bits of the last digit are ignored, as in the specification's own example (rfc6455#4.1). */
const KEY = /^[A-Za-z0-9+/]{22}==$/;

const UPGRADE: readonly Field[] = [field("Upgrade", "websocket"), field("Connection", "Upgrade")];

/** The value of Sec-WebSocket-Accept for a key (rfc6455#4.2.2). */
export const acceptKey = (key: string, sha1: Sha1): string => base64(sha1(key + GUID));
const base64 = (octets: Uint8Array): string => btoa(String.fromCharCode(...octets));

/** Judges a request over HTTP/1.1 (rfc6455#4.2). */
export function acceptHttp1(head: RequestHead, policy: ServerPolicy, sha1: Sha1): Accepted | Refused {
  const { method, version, authority, fields } = head;
  if (method !== "GET") return refused("methodNotGet", `${method} does not open a WebSocket, use GET`, [field("Allow", "GET")]);
  if (version === "HTTP/1.0") return refused("versionTooOld");
  if (authority === "") return refused("hostMissing");
  // A protocol may have a version after a slash, but this one does not (rfc9110#7.8).
  const upgrade = fields.get("upgrade")?.split(",") ?? [];
  if (!upgrade.some((protocol) => protocol.trim().toLowerCase() === "websocket"))
    return refused("upgradeMissing", "this resource only opens WebSockets", UPGRADE);
  if (!hasToken(fields, "connection", "upgrade")) return refused("connectionMissing", "Connection does not name Upgrade");
  const keys = fields.all("sec-websocket-key");
  const [key] = keys;
  if (key === undefined) return refused("keyMissing", "Sec-WebSocket-Key is missing");
  if (keys.length > 1) return refused("keyRepeated");
  if (!KEY.test(key)) return refused("keyInvalid", "Sec-WebSocket-Key is not 16 octets in base64");
  const judged = judge(head, policy);
  // A 426 names the protocol to upgrade to (rfc9110#15.5.22).
  if (judged.is === "refused") return judged.status === 426 ? { ...judged, fields: [...UPGRADE, ...judged.fields] } : judged;
  const answer = [field("Sec-WebSocket-Accept", acceptKey(key, sha1)), ...judged.fields];
  return { ...judged, is: "accepted", status: 101, fields: answer };
}

/** A client's request, without GET and Host (rfc6455#4.1). Each connection has a fresh key. */
export function offerHttp1(policy: ClientPolicy, random: Random): Offer {
  const key = base64(random(new Uint8Array(KEY_OCTETS)));
  const fields = [field("Upgrade", "websocket"), field("Connection", "Upgrade"), field("Sec-WebSocket-Key", key), ...offerFields(policy)];
  return { fields, key, subprotocols: policy.subprotocols ?? [], deflate: policy.deflate };
}

/** Judges the response, for a client (rfc6455#4.1). */
export function readHttp1Answer(status: number, fields: Fields, offer: Offer, sha1: Sha1): Answer {
  if (status !== 101) return { is: "declined", status };
  if (fields.get("upgrade")?.toLowerCase() !== "websocket") return handshakeFault("upgradeWrong");
  if (!hasToken(fields, "connection", "upgrade")) return handshakeFault("connectionWrong");
  const accepts = fields.all("sec-websocket-accept");
  if (accepts.length === 0) return handshakeFault("acceptMissing");
  if (accepts.length > 1) return handshakeFault("acceptRepeated");
  if (accepts[0] !== acceptKey(offer.key ?? "", sha1)) return handshakeFault("acceptWrong");
  return settle(fields, offer);
}

const hasToken = (fields: Fields, name: string, token: string): boolean => parseTokens(fields.get(name) ?? "")?.includes(token) === true;
