import { ofClients } from "../claims.ts";
import { claims } from "../server/10.4-given-limits.ts";

/** RFC 6455, section 10.4, for clients that were given limits. */
export const cases = ofClients(claims);
