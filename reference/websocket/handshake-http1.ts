import { field, type Random } from "../core/index.ts";
import { parseTokens, type Fields, type RequestHead } from "../http/index.ts";
import { handshakeFault } from "./handshake-faults.ts";
import {
  judge,
  refused,
  settle,
  wishes,
  type Accepted,
  type Answer,
  type ClientWishes,
  type Offer,
  type Refused,
  type ServerPolicy,
  type Sha1,
} from "./handshake.ts";

/** The opening handshake over HTTP/1.1: an upgrade, proved by a key (rfc6455#4). */

/** What is put behind a key before it is hashed: no server answers with it by chance (rfc6455#1.3). */
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const KEY_OCTETS = 16;
/** Sixteen octets in base64. What the last digit says beyond them is not looked at, as the specification's own example has it (rfc6455#4.1). */
const KEY = /^[A-Za-z0-9+/]{22}==$/;

/** The value of Sec-WebSocket-Accept for a key (rfc6455#4.2.2). */
export const acceptKey = (key: string, sha1: Sha1): string => base64(sha1(key + GUID));
const base64 = (octets: Uint8Array): string => btoa(String.fromCharCode(...octets));

/** A server's judgement of a request over HTTP/1.1 (rfc6455#4.2). */
export function acceptHttp1(head: RequestHead, policy: ServerPolicy, sha1: Sha1): Accepted | Refused {
  const { method, version, authority, fields } = head;
  if (method !== "GET") return refused("methodNotGet", `${method} opens no WebSocket, GET does`, [field("Allow", "GET")]);
  if (version === "HTTP/1.0") return refused("versionTooOld");
  if (authority === "") return refused("hostMissing");
  // A product may have a version behind a slash, which this one has not (rfc9110#7.8).
  const upgrade = fields.get("upgrade")?.split(",") ?? [];
  if (!upgrade.some((protocol) => protocol.trim().toLowerCase() === "websocket"))
    return refused("upgradeMissing", "this resource speaks WebSocket alone", [
      field("Upgrade", "websocket"),
      field("Connection", "Upgrade"),
    ]);
  if (!hasToken(fields, "connection", "upgrade")) return refused("connectionMissing", "Connection does not name Upgrade");
  const keys = fields.all("sec-websocket-key");
  if (keys.length === 0) return refused("keyMissing", "Sec-WebSocket-Key is missing");
  if (keys.length > 1) return refused("keyRepeated");
  const key = keys[0]!;
  if (!KEY.test(key)) return refused("keyInvalid", "Sec-WebSocket-Key is not 16 octets in base64");
  const judged = judge(head, policy);
  if ("is" in judged) return judged;
  const { protocol, deflate } = judged;
  const said = [field("Sec-WebSocket-Accept", acceptKey(key, sha1)), ...judged.fields];
  return { is: "accepted", status: 101, fields: said, protocol, deflate };
}

/** What a client asks for, with GET and Host (rfc6455#4.1). The key is drawn anew for each connection. */
export function offerHttp1(what: ClientWishes, random: Random): Offer {
  const key = base64(random(new Uint8Array(KEY_OCTETS)));
  const fields = [field("Upgrade", "websocket"), field("Connection", "Upgrade"), field("Sec-WebSocket-Key", key), ...wishes(what)];
  return { fields, key, protocols: what.protocols ?? [], deflate: what.deflate };
}

/** A client's judgement of the response (rfc6455#4.1). */
export function readHttp1Answer(status: number, fields: Fields, offer: Offer, sha1: Sha1): Answer {
  if (status !== 101) return { is: "declined", status };
  if (fields.get("upgrade")?.toLowerCase() !== "websocket") return handshakeFault("upgradeWrong");
  if (!hasToken(fields, "connection", "upgrade")) return handshakeFault("connectionWrong");
  const accepts = fields.all("sec-websocket-accept");
  if (accepts.length === 0) return handshakeFault("acceptMissing");
  if (accepts.length > 1) return handshakeFault("acceptRepeated");
  if (accepts[0] !== acceptKey(offer.key!, sha1)) return handshakeFault("acceptWrong");
  return settle(fields, offer);
}

const hasToken = (fields: Fields, name: string, token: string): boolean => parseTokens(fields.get(name) ?? "")?.includes(token) === true;
