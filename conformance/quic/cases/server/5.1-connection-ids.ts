import { connectionIds } from "../shared/connection-ids.ts";
import { SERVER } from "../phrases.ts";
import type { Case } from "../../vocabulary.ts";

/** Connection IDs (rfc9000#5.1). */
export const cases: readonly Case[] = connectionIds(SERVER);
