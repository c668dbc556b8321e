import type { RawEnd } from "../../wire/quic/end.ts";
import type { Observed } from "../../wire/quic/observed.ts";

/** What is observed; in the client role also how the command ended. */
export type Shown = Observed | { readonly is: "exit"; readonly code: number | null };
export type Seen = Shown & { readonly at: number };
/** What monitors look at. `before`: what came on the connection whose session is resumed. */
export type Watched = { readonly seen: readonly Shown[]; readonly before: readonly Shown[]; readonly end: RawEnd };
