import { fieldFaults } from "../fields.ts";
import { timing } from "../timing.ts";
import { ending } from "./ending.ts";
import { frames } from "./frames.ts";
import { kitFor, type Http3Fault, type Kit } from "./kit.ts";

/** The faults of HTTP/3, by name. A name is permanent. */
const table = (kit: Kit): readonly Http3Fault[] => [...ending(kit), ...timing(kit), ...fieldFaults(kit), ...frames(kit)];
export const SERVER_KIT = kitFor("server");
export const SERVER_FAULTS = table(SERVER_KIT);
export const CLIENT_KIT = kitFor("client");
export const CLIENT_FAULTS = table(CLIENT_KIT);
export { Http3FaultyLine } from "./line.ts";
