import { cases as server } from "../abuse-floods.ts";
import type { Case } from "../vocabulary.ts";
import { floodsOfServers } from "./phrases.ts";

/** Floods mean the same to both sides; what they cost a client is not measured. Only a server is left with half a handshake. */
export const cases: readonly Case[] = floodsOfServers(server, ["websocket/abuse-handshake-unfinished"]);
