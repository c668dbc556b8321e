import { malformedFrames } from "../shared/malformed-frames.ts";
import { SERVER } from "../phrases.ts";
import type { Case } from "../../vocabulary.ts";

/** Frames whose members contradict the format (rfc9000#19, rfc9000#20.1). */
export const cases: readonly Case[] = malformedFrames(SERVER);
