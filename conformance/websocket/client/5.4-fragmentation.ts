import { cases as server } from "../5.4-fragmentation.ts";
import type { Case } from "../vocabulary.ts";
import { ofServers } from "./phrases.ts";

/** Fragments mean the same to both sides. */
export const cases: readonly Case[] = ofServers(server);
