import type { NewScreen } from "./drawing.ts";

/**
 * Who sets the size of a terminal: `owner`, the client that owns it; `smallest`, all typing clients, so that it fits into each; `last`,
 * the client that asked last.
 */
export type Sizing = "owner" | "smallest" | "last";
/** How sessions treat their terminals. Without `screen`, a client that attaches late receives recent output as it was. */
export type Terminals = { readonly sizing?: Sizing; readonly screen?: NewScreen };
