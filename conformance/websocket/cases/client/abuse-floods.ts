import { ofClients } from "../claims.ts";
import { claims } from "../server/abuse-floods.ts";

/** Floods for clients; their cost to a client is not measured. */
export const cases = ofClients(claims);
