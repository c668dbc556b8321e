import type { ReadFrame } from "../../wire/http2/read.ts";
import type { Log } from "./log.ts";

/** What a monitor looks at: everything observed, and our own frames with the number of observations before each. */
export type Watched = {
  readonly log: Log;
  readonly role: "server" | "client";
  readonly sent: readonly { readonly frame: ReadFrame; readonly after: number }[];
};

/** A property of everything that the subject sent: undefined while it holds, otherwise its violation. */
export type Monitor = (watched: Watched) => string | undefined;
