import { cases as server } from "../7.4-status-codes.ts";
import type { Case } from "../vocabulary.ts";
import { ofServers } from "./phrases.ts";

/** Codes mean the same to both sides; 1010 is for clients to send, and taken all the same. */
export const cases: readonly Case[] = ofServers(server);
