import { ofClients } from "../claims.ts";
import { claims } from "../server/8.1-utf-8-long.ts";

/** RFC 6455, section 8.1, for clients: text is UTF-8 for both sides. */
export const cases = ofClients(claims);
