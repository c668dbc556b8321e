import { cases as server } from "../rfc7692-7.2-compression.ts";
import type { Case } from "../vocabulary.ts";
import { ofServers } from "./phrases.ts";

/** What is inflated means the same to both sides; what limits our own window is in the parameters. */
export const cases: readonly Case[] = ofServers(server, ["websocket/deflate-client-window"]);
