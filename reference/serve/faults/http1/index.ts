import { timing } from "../timing.ts";
import { ending } from "./ending.ts";
import { framing } from "./framing.ts";
import { heads } from "./heads.ts";
import { kitFor, type Http1Fault, type Kit } from "./kit.ts";

/** The faults of HTTP/1.1, by name. A name is permanent. */
const table = (kit: Kit): readonly Http1Fault[] => [
  ...ending(kit),
  ...timing(kit),
  ...framing(kitFor(kit.side, "with content")),
  ...heads(kit),
];
export const SERVER_KIT = kitFor("server");
export const SERVER_FAULTS = table(SERVER_KIT);
export const CLIENT_KIT = kitFor("client");
export const CLIENT_FAULTS = table(CLIENT_KIT);
export { Http1FaultyLine } from "./line.ts";
