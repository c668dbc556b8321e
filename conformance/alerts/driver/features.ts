import type { Probed } from "../../harness/together.ts";
import type { RouterSetup, Step } from "../vocabulary.ts";

/** Settings that not every subject has, probed before the first case. */

const receiver = (settings: RouterSetup["route"] = {}): readonly Step[] => [{ do: "router", ends: { main: { settings } } }];

export const ROUTER_FEATURES = {
  "webhook-timeout": { setting: "the timeout of a webhook", steps: receiver({ timeout: "1s" }) },
} satisfies Probed<readonly Step[]>;
