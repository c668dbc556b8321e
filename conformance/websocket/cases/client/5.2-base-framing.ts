import { ofClients } from "../claims.ts";
import { claims } from "../server/5.2-base-framing.ts";

/** RFC 6455, section 5.2, for clients: the base framing protocol is the same for both sides. */
export const cases = ofClients(claims);
