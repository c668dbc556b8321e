import { cases as server } from "../rfc7692-6-framing.ts";
import type { Case } from "../vocabulary.ts";
import { ofServers } from "./phrases.ts";

/** Compressed frames mean the same to both sides. */
export const cases: readonly Case[] = ofServers(server);
