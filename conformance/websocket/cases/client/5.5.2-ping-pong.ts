import { ofClients } from "../claims.ts";
import { claims } from "../server/5.5.2-ping-pong.ts";

/** RFC 6455, section 5.5.2, for clients: both sides answer Pings. */
export const cases = ofClients(claims);
