import type { Probed } from "../../harness/together.ts";
import type { RouterSetup, SenderSetup, Step } from "../vocabulary.ts";

/** Settings that not every subject has, probed before the first case. */

const router = (settings: RouterSetup["route"] = {}): readonly Step[] => [{ do: "router", ends: { main: { settings } } }];
const sender = (setup: Omit<SenderSetup, "do">): readonly Step[] => [{ do: "sender", ...setup }];
const listed = (settings: RouterSetup["route"] = {}): readonly Step[] => sender({ lists: [{ ends: ["main"], settings }] });

export const ROUTER_FEATURES = {
  "webhook-timeout": { setting: "the timeout of a webhook", steps: router({ timeout: "1s" }) },
} satisfies Probed<readonly Step[]>;

export const SENDER_FEATURES = {
  "keep-firing": { setting: "keep_firing_for", steps: sender({ rules: [{ keep_firing_for: "1s" }] }) },
  "group-labels": { setting: "labels of a group", steps: sender({ group: { labels: { a: "b" } } }) },
  "relabel-by-list": { setting: "alert_relabel_configs in a list of routers", steps: listed({ alert_relabel_configs: [] }) },
  headers: { setting: "http_headers", steps: listed({ http_headers: { "X-Own": { values: ["v"] } } }) },
} satisfies Probed<readonly Step[]>;
