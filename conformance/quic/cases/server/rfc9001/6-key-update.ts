import { keyUpdates } from "../../shared/key-updates.ts";
import { SERVER } from "../../phrases.ts";
import type { Case } from "../../../vocabulary.ts";

/** Key updates (rfc9001#6). */
export const cases: readonly Case[] = keyUpdates(SERVER);
