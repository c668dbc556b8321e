import { CLIENT } from "../phrases-client.ts";
import { flowControl } from "../shared/flow-control.ts";
import type { Case } from "../../vocabulary.ts";

/** Flow control (rfc9000#4). */
export const cases: readonly Case[] = flowControl(CLIENT);
