import { cases as server } from "../5.2-base-framing.ts";
import type { Case } from "../vocabulary.ts";
import { ofServers } from "./phrases.ts";

/** Frames mean the same to both sides. */
export const cases: readonly Case[] = ofServers(server);
