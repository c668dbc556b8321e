import type { Observed } from "../../wire/quic/observed.ts";

/** What is observed; in the client role also how the command ended. */
export type Shown = Observed | { readonly is: "exit"; readonly code: number | null };
export type Seen = Shown & { readonly at: number };
