import { ofClients } from "../claims.ts";
import { claims } from "../server/rfc7692-6-framing.ts";

/** RFC 7692, section 6, for clients: compressed frames are the same for both sides. */
export const cases = ofClients(claims);
