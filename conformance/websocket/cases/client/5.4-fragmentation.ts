import { ofClients } from "../claims.ts";
import { claims } from "../server/5.4-fragmentation.ts";

/** RFC 6455, section 5.4, for clients: fragmentation is the same for both sides. */
export const cases = ofClients(claims);
