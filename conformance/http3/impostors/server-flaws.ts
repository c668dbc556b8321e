import type { ServerFlaw } from "./flaw.ts";
import { MISDEEDS } from "./misdeeds.ts";
import { REFUSALS } from "./refusals.ts";

/** HTTP/3 servers that are wrong on purpose, by name. */
export const SERVER_FLAWS: Readonly<Record<string, ServerFlaw>> = {
  lenient: { about: "accepts everything" },
  silent: { about: "says nothing", mute: true },
  slams: { about: "closes every connection at once", slams: true },
  "lenient-and-bare": { about: "accepts everything, and offers neither a dynamic table nor extended CONNECT", settings: [] },
  ...REFUSALS,
  ...MISDEEDS,
};
