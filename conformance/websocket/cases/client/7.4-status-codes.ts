import { ofClients } from "../claims.ts";
import { claims } from "../server/7.4-status-codes.ts";

/** RFC 6455, section 7.4, for clients: status codes are the same for both sides; even 1010, which only clients send, is accepted. */
export const cases = ofClients(claims);
