import type { ClientFlaw } from "./flaw.ts";
import { MISDEEDS } from "./misdeeds.ts";
import { REFUSALS } from "./refusals.ts";

/** Misdeeds that a client can have, too. */
const SHARED = [
  "two-control-streams",
  "settings-second",
  "settings-twice",
  "a-setting-twice",
  "a-setting-of-http2",
  "a-frame-of-http2",
  "headers-on-control",
  "frame-too-long",
  "ends-control",
];

/** HTTP/3 clients that are wrong on purpose, by name. */
export const CLIENT_FLAWS: Readonly<Record<string, ClientFlaw>> = {
  lenient: { about: "accepts everything" },
  silent: { about: "connects, and says nothing", mute: true },
  "leaves-at-once": { about: "ends with status 0 before anything has come", leaves: 0 },
  "fails-at-once": { about: "ends with status 1 before anything has come", leaves: 1 },
  ...REFUSALS,
  ...Object.fromEntries(Object.entries(MISDEEDS).filter(([name]) => SHARED.includes(name))),
  "names-in-upper-case": {
    about: "sends field names in upper case",
    request: (fields) => [...fields.slice(0, -1), ["User-Agent", "impostor"]],
  },
  "connection-field": { about: "sends Connection", request: (fields) => [...fields, ["connection", "keep-alive"]] },
  "settings-on-requests": { about: "sends SETTINGS with its request", appends: [{ type: "SETTINGS" }] },
  "refuses-interim": {
    about: "expects the final response at once",
    meets: (observed) =>
      observed.is === "frame" && (observed.fields ?? []).some(([name, value]) => name === ":status" && value.startsWith("1"))
        ? { close: "H3_MESSAGE_ERROR" }
        : undefined,
  },
  "refuses-unknown-settings": {
    about: "rejects settings that it does not know",
    meets: (observed) =>
      observed.is === "frame" && (observed.frame.settings ?? []).some(([name]) => name.startsWith("0x"))
        ? { close: "H3_SETTINGS_ERROR" }
        : undefined,
  },
};
