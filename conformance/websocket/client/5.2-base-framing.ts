import { cases as server } from "../5.2-base-framing.ts";
import type { Case } from "../vocabulary.ts";
import { ofServers } from "./phrases.ts";

const HUGE = "websocket/client-length-beyond-all-limits";

/** Frames mean the same to both sides. A client that reads messages piece by piece is protected however long a frame says that it is. */
export const cases: readonly Case[] = ofServers(server).map((c) => (c.id === HUGE ? { ...c, level: "SHOULD" } : c));
