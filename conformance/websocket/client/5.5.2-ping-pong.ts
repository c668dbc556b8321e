import { cases as server } from "../5.5.2-ping-pong.ts";
import type { Case } from "../vocabulary.ts";
import { ofServers } from "./phrases.ts";

/** Either side answers PINGs. */
export const cases: readonly Case[] = ofServers(server);
