import { ofClients } from "../claims.ts";
import { claims } from "../server/rfc7692-7.2-compression.ts";

/** RFC 7692, section 7.2, for clients: the compressed data is the same for both sides. */
export const cases = ofClients(claims);
