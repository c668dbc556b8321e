import { cases as server } from "../8.1-utf-8.ts";
import type { Case } from "../vocabulary.ts";
import { ofServers } from "./phrases.ts";

/** Text is UTF-8 for both sides. */
export const cases: readonly Case[] = ofServers(server);
