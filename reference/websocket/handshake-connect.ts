import { field, type Field } from "../core/index.ts";
import { isSuccess, type Fields, type RequestHead } from "../http/index.ts";
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
} from "./handshake.ts";

/** The opening handshake over HTTP/2 and HTTP/3: an extended CONNECT, which needs no key (rfc8441#5, rfc9220#3). */

/** The value of `:protocol`. */
export const CONNECT_PROTOCOL = "websocket";

const lower = ({ name, value }: Field): Field => field(name.toLowerCase(), value);

/** A server's judgement of a request over HTTP/2 or HTTP/3. That its pseudo-fields are all there has been seen to (rfc8441#4). */
export function acceptConnect(head: RequestHead, policy: ServerPolicy): Accepted | Refused {
  const { method, protocol: wanted } = head;
  if (method !== "CONNECT" || wanted === undefined)
    return refused("methodNotConnect", "a WebSocket is opened by an extended CONNECT here", [field("allow", "CONNECT")]);
  if (wanted.toLowerCase() !== CONNECT_PROTOCOL) return refused("protocolUnknown", `${wanted} is not spoken here, ${CONNECT_PROTOCOL} is`);
  const judged = judge(head, policy);
  if ("is" in judged) {
    // Nothing can be upgraded here, so that 426 has nothing to say (rfc9110#15.5.22).
    return { ...judged, status: judged.status === 426 ? 400 : judged.status, fields: judged.fields.map(lower) };
  }
  const { protocol, deflate, fields } = judged;
  return { is: "accepted", status: 200, fields: fields.map(lower), protocol, deflate };
}

/** What a client asks for, besides its pseudo-fields: CONNECT, `:protocol` of `CONNECT_PROTOCOL`, `:scheme` of http or https. */
export function offerConnect(what: ClientWishes): Offer {
  return { fields: wishes(what).map(lower), protocols: what.protocols ?? [], deflate: what.deflate };
}

/** A client's judgement of the response. */
export const readConnectAnswer = (status: number, fields: Fields, offer: Offer): Answer =>
  isSuccess(status) ? settle(fields, offer) : { is: "declined", status };
