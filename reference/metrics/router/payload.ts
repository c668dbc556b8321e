import { Labels } from "../model/index.ts";
import type { Delivery, NotifiedAlert } from "./delivery.ts";

/** The content of webhooks: Alertmanager docs, configuration.md, `<webhook_config>`. */

/** The labels that all have, with equal values. */
export function commonTo(all: readonly Labels[]): Labels {
  const [first = Labels.NONE, ...others] = all;
  return Labels.of([...first].filter(([name, value]) => others.every((one) => one.get(name) === value)));
}

/** A time as Go prints it in JSON, which leaves out trailing zeros of the fraction. */
const timeText = (ms: number): string => new Date(ms).toISOString().replace(/\.?0*Z$/, "Z");
const NO_TIME = "0001-01-01T00:00:00Z";

const alertJson = ({ labels, annotations, startsAt, endsAt, generatorUrl, fingerprint, isResolved }: NotifiedAlert) => ({
  status: isResolved ? "resolved" : "firing",
  labels: labels.toJSON(),
  annotations: annotations.toJSON(),
  startsAt: timeText(startsAt),
  endsAt: isResolved ? timeText(endsAt) : NO_TIME,
  generatorURL: generatorUrl,
  fingerprint,
});

/** The content of a webhook in JSON. `maxAlerts` of 0 is no limit. */
export function webhookJson(
  { receiver, alerts, groupKey, groupLabels }: Delivery,
  { externalUrl, maxAlerts }: { readonly externalUrl: string; readonly maxAlerts: number },
): string {
  const shown = maxAlerts > 0 ? alerts.slice(0, maxAlerts) : alerts;
  return JSON.stringify({
    receiver,
    status: shown.some((one) => !one.isResolved) ? "firing" : "resolved",
    alerts: shown.map(alertJson),
    groupLabels: groupLabels.toJSON(),
    commonLabels: commonTo(shown.map(({ labels }) => labels)).toJSON(),
    commonAnnotations: commonTo(shown.map(({ annotations }) => annotations)).toJSON(),
    externalURL: externalUrl,
    version: "4",
    groupKey,
    truncatedAlerts: alerts.length - shown.length,
  });
}
