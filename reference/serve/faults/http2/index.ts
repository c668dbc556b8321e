import { timing } from "../timing.ts";
import { duties } from "./duties.ts";
import { ending } from "./ending.ts";
import { frames } from "./frames.ts";
import { kitFor, type Http2Fault, type Kit } from "./kit.ts";
import { raw } from "./raw.ts";
import { sections } from "./sections.ts";
import { silence } from "./silence.ts";

/** The faults of HTTP/2, by name. A name is permanent. */
const table = (kit: Kit): readonly Http2Fault[] => [
  ...ending(kit),
  ...timing(kit),
  ...silence(kit),
  ...duties(kit),
  ...sections(kit),
  ...frames(kit),
  ...raw(kit),
];
export const SERVER_KIT = kitFor("server");
export const SERVER_FAULTS = table(SERVER_KIT);
export const CLIENT_KIT = kitFor("client");
export const CLIENT_FAULTS = table(CLIENT_KIT);
export { Http2FaultyLine } from "./line.ts";
