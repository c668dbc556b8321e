import { version } from "../../../../version.ts";
import { type Router, stateOf } from "../../../metrics/router/index.ts";
import type { Labelled, Row } from "../metric-rows.ts";

/** What a router says about itself at `/metrics`, under the names that operators know. */
export function routerRows(
  router: Router,
  {
    now,
    started,
    config,
  }: { readonly now: number; readonly started: number; readonly config: { readonly isLoaded: boolean; readonly loadedAt: number } },
): Row[] {
  const { counts } = router;
  const shown = router.alerts(now);
  const suppressed = shown.filter(({ silencedBy, inhibitedBy }) => silencedBy.length + inhibitedBy.length > 0).length;
  const states = router.silences.all.map((one) => stateOf(one, now));
  const cpu = process.cpuUsage();
  const perKind = (of: { readonly webhook: number; readonly email: number }): Labelled[] =>
    (["email", "webhook"] as const).map((kind) => ["integration", kind, of[kind]]);
  const total = { webhook: counts.sent.webhook + counts.failed.webhook, email: counts.sent.email + counts.failed.email };
  return [
    ["alertmanager_build_info", "gauge", "The version of the router.", [["version", version, 1]]],
    ["process_start_time_seconds", "gauge", "When the process began, in seconds since 1970.", started / 1_000],
    ["process_cpu_seconds_total", "counter", "Processor time of the process in seconds.", (cpu.user + cpu.system) / 1e6],
    ["process_resident_memory_bytes", "gauge", "Resident memory of the process.", process.memoryUsage.rss()],
    [
      "alertmanager_config_last_reload_successful",
      "gauge",
      "Whether the last attempt to load the configuration succeeded.",
      config.isLoaded ? 1 : 0,
    ],
    [
      "alertmanager_config_last_reload_success_timestamp_seconds",
      "gauge",
      "When the configuration was last loaded.",
      config.loadedAt / 1_000,
    ],
    [
      "alertmanager_alerts",
      "gauge",
      "Alerts that have not ended, by state.",
      [
        ["state", "active", shown.length - suppressed],
        ["state", "suppressed", suppressed],
      ],
    ],
    [
      "alertmanager_alerts_received_total",
      "counter",
      "Received alerts.",
      [
        ["status", "firing", counts.firing],
        ["status", "resolved", counts.resolved],
      ],
    ],
    ["alertmanager_alerts_invalid_total", "counter", "Received alerts that were invalid.", counts.invalid],
    ["touchstone_alerts_refused_total", "counter", "Alerts that were refused, because there are too many.", counts.refused],
    ["alertmanager_dispatcher_aggregation_groups", "gauge", "Groups.", router.groupCount],
    ["alertmanager_notifications_total", "counter", "Attempts to notify.", perKind(total)],
    ["alertmanager_notifications_failed_total", "counter", "Attempts to notify that failed.", perKind(counts.failed)],
    [
      "alertmanager_silences",
      "gauge",
      "Silences by state.",
      (["active", "expired", "pending"] as const).map((state): Labelled => ["state", state, states.filter((one) => one === state).length]),
    ],
    ["alertmanager_receivers", "gauge", "Configured receivers.", router.plan.receivers.size],
  ];
}
