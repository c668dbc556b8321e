import type { SenderSetup, Settings } from "../../vocabulary.ts";
import { about, seen, sender, sent, signal, unseen, until } from "../phrases.ts";

/** When alerts begin and end, what is sent of them again, and relabelling. */

const D = "alerting-rules.defining";
const R = "configuration.alert-relabel-configs";
const X = "alerts-api.expectations";
const NOT_RESENT = "No alert was sent again in the time of a case: start the sender with a short --rules.alert.resend-delay";
/** An alert that is over. */
const ENDED = { endsAt: { $past: true } };
const AGAIN = about({ alertname: "Down" }, { annotations: { value: "2" }, endsAt: { $past: false } });
const two = (rule: Settings, more: Omit<SenderSetup, "do"> = {}): SenderSetup =>
  sender({ rules: [{ alert: "Fast" }, { alert: "Slow", ...rule }], ...more });
const fast = (more: Settings = {}) => about({ alertname: "Fast" }, more);
const slow = (more: Settings = {}) => about({ alertname: "Slow" }, more);
/** A rule of relabelling that is about this case. */
const relabel = (rule: Settings, value = ".*") => ({ source_labels: ["case", "alertname"], regex: `{case};${value}`, ...rule });

export const cases = [
  sent({
    id: "ends-told",
    covers: [`${X}/ends`, `${D}/ends`],
    title: "An alert whose condition no longer holds is sent with its end.",
    steps: [sender(), until("main"), signal(0), until("main", 1, about({ alertname: "Down" }, ENDED))],
    see: seen("main", { alerts: [{ labels: { alertname: "Down", case: "{case}", site: "here" }, endsAt: { $near: 0 } }] }),
  }),
  sent({
    id: "ends-same-labels",
    covers: `${X}/ends`,
    title: "An alert that ended has the labels with which it was sent.",
    steps: [
      sender({ rules: [{ labels: { severity: "page" } }] }),
      until("main"),
      signal(0),
      until("main", 1, about({ severity: "page" }, ENDED)),
    ],
    see: { see: "every-request", at: "main", is: { alerts: [{ labels: { severity: "page" } }] } },
  }),
  sent({
    id: "ends-same-start",
    covers: "alerts-api.post/starts-at",
    level: "SHOULD",
    title: "An alert that ended has the startsAt with which it was sent.",
    steps: [sender(), until("main"), signal(0), until("main", 1, about({ alertname: "Down" }, ENDED))],
    see: { see: "kinds", at: "main", member: "startsAt", most: 1 },
  }),
  sent({
    id: "ends-and-returns",
    covers: [`${D}/ends`, `${D}/element`],
    title: "An alert whose condition holds again is sent again as firing.",
    steps: [
      sender({ rules: [{ expr: 'signal{case="{case}"} >= 1', annotations: { value: "{{ $value }}" } }] }),
      until("main"),
      signal(0),
      until("main", 1, about({ alertname: "Down" }, ENDED)),
      signal(2),
      until("main", 1, AGAIN),
    ],
    see: seen("main", AGAIN),
  }),
  sent({
    id: "for-waits",
    covers: [`${D}/for`, `${D}/pending`],
    title: "An alert with for fires only after its condition has held for so long.",
    steps: [two({ for: "3s" }), until("main", 1, fast()), until("main", 1, slow())],
    see: { see: "apart", at: "main", from: fast(), to: slow(), leastMs: 1_500 },
  }),
  sent({
    id: "for-not-reached",
    covers: [`${D}/for`, `${D}/pending`],
    title: "An alert whose condition did not hold for long enough is not sent.",
    level: "SHOULD",
    steps: [two({ for: "1h" }), until("main", 1, fast()), signal(0), until("main", 1, fast(ENDED))],
    see: unseen("main", slow()),
    control: [two({}), until("main", 1, fast()), until("main", 1, slow())],
  }),
  sent({
    id: "keep-firing",
    covers: `${D}/keep-firing-for`,
    title: "An alert with keep_firing_for goes on after its condition no longer holds.",
    needs: ["keep-firing"],
    steps: [
      two({ keep_firing_for: "3s" }),
      until("main", 1, fast()),
      until("main", 1, slow()),
      signal(0),
      until("main", 1, fast(ENDED)),
      until("main", 1, slow(ENDED)),
    ],
    see: { see: "apart", at: "main", from: fast(ENDED), to: slow(ENDED), leastMs: 1_500 },
  }),
  sent({
    id: "keep-firing-long",
    covers: `${D}/keep-firing-for`,
    title: "An alert does not end before keep_firing_for is over.",
    needs: ["keep-firing"],
    steps: [two({ keep_firing_for: "1h" }), until("main", 1, slow()), signal(0), until("main", 1, fast(ENDED))],
    see: unseen("main", slow(ENDED)),
    control: [two({}), until("main", 1, slow()), signal(0), until("main", 1, slow(ENDED))],
  }),
  sent({
    id: "resent",
    covers: `${X}/resend`,
    title: "An alert that fires is sent again.",
    steps: [sender(), until("main"), { do: "await", at: "main", count: 3, orSkip: NOT_RESENT }],
    see: { see: "every-request", at: "main", is: { alerts: [{ labels: { alertname: "Down" }, endsAt: { $past: false } }] } },
  }),
  sent({
    id: "resent-same-start",
    covers: ["alerts-api.post/starts-at", `${X}/resend`],
    level: "SHOULD",
    title: "An alert that is sent again has the same startsAt.",
    steps: [sender(), until("main"), { do: "await", at: "main", count: 3, orSkip: NOT_RESENT }],
    see: { see: "kinds", at: "main", member: "startsAt", most: 1 },
  }),
  sent({
    id: "resent-later-end",
    covers: `${X}/valid`,
    level: "SHOULD",
    title: "An alert that is sent again has a later endsAt each time.",
    steps: [sender(), until("main"), { do: "await", at: "main", count: 3, orSkip: NOT_RESENT }],
    see: { see: "kinds", at: "main", member: "endsAt", least: 3 },
  }),
  sent({
    id: "relabel-adds",
    covers: `${R}/changes`,
    title: "Relabelling adds a label to an alert.",
    steps: [sender({ relabel: [relabel({ target_label: "added", replacement: "yes" })] }), until("main")],
    see: { see: "every-request", at: "main", is: { alerts: [{ labels: { added: "yes" } }] } },
  }),
  sent({
    id: "relabel-removes",
    covers: `${R}/changes`,
    title: "Relabelling removes a label of an alert.",
    steps: [
      sender({ rules: [{ labels: { severity: "page" } }], relabel: [relabel({ target_label: "severity", replacement: "" })] }),
      until("main"),
    ],
    see: { see: "every-request", at: "main", is: { alerts: [{ labels: { severity: null } }] } },
  }),
  sent({
    id: "relabel-drops",
    covers: `${R}/changes`,
    title: "An alert that relabelling drops is not sent.",
    steps: [
      two({}, { relabel: [relabel({ action: "drop" }, "Slow")] }),
      until("main", 1, fast()),
      signal(0),
      until("main", 1, fast(ENDED)),
    ],
    see: unseen("main", slow()),
    control: [two({}), until("main", 1, fast()), until("main", 1, slow())],
  }),
  sent({
    id: "relabel-after-external",
    covers: `${R}/after-external`,
    title: "Relabelling sees the external labels.",
    steps: [
      sender({ relabel: [{ source_labels: ["case", "site"], regex: "{case};(.*)", target_label: "copied", replacement: "from $1" }] }),
      until("main"),
    ],
    see: { see: "every-request", at: "main", is: { alerts: [{ labels: { copied: "from here", site: "here" } }] } },
  }),
  sent({
    id: "relabel-by-list",
    covers: `${R}/of-routers`,
    title: "The rules of a list of routers change the alerts that are sent there, and no others.",
    needs: ["relabel-by-list"],
    steps: [
      sender({
        ends: { main: {}, two: {} },
        lists: [
          { ends: ["main"], settings: { alert_relabel_configs: [{ target_label: "added", replacement: "yes" }] } },
          { ends: ["two"] },
        ],
      }),
      until("main"),
      until("two"),
    ],
    see: [
      seen("main", about({ added: "yes" })),
      seen("two", { alerts: [{ labels: { added: null } }] }),
      unseen("two", about({ added: "yes" })),
    ],
  }),
];
