import { field, type Field } from "../core/index.ts";
import { isSuccess, type Fields, type RequestHead } from "../http/index.ts";
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
} from "./handshake.ts";

/** The opening handshake over HTTP/2 and HTTP/3: an extended CONNECT, without a key (rfc8441#5, rfc9220#3). */

/** The value of `:protocol`. */
export const CONNECT_PROTOCOL = "websocket";

const lower = ({ name, value }: Field): Field => field(name.toLowerCase(), value);

/** Judges a request over HTTP/2 or HTTP/3, whose pseudo-fields are complete (rfc8441#4). */
export function acceptConnect(head: RequestHead, policy: ServerPolicy): Accepted | Refused {
  const { method, protocol: wanted } = head;
  if (method !== "CONNECT" || wanted === undefined)
    return refused("methodNotConnect", "use an extended CONNECT to open a WebSocket", [field("allow", "CONNECT")]);
  if (wanted.toLowerCase() !== CONNECT_PROTOCOL) return refused("protocolUnknown", `${wanted} is not supported, use ${CONNECT_PROTOCOL}`);
  const judged = judge(head, policy);
  if (judged.is === "refused") {
    // These versions have no Upgrade, so 426 would be pointless (rfc9110#15.5.22).
    return { ...judged, status: judged.status === 426 ? 400 : judged.status, fields: judged.fields.map(lower) };
  }
  return { ...judged, is: "accepted", status: 200, fields: judged.fields.map(lower) };
}

/** A client's request, without its pseudo-fields: CONNECT, `:protocol` with `CONNECT_PROTOCOL`, `:scheme` with http or https. */
export function offerConnect(policy: ClientPolicy): Offer {
  return { fields: offerFields(policy).map(lower), subprotocols: policy.subprotocols ?? [], deflate: policy.deflate };
}

/** Judges the response, for a client. */
export const readConnectAnswer = (status: number, fields: Fields, offer: Offer): Answer =>
  isSuccess(status) ? settle(fields, offer) : { is: "declined", status };
