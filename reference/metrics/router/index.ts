/** An alert router without I/O: routes, groups, silences, inhibition, repeats, on given time (Alertmanager docs, alertmanager.md, configuration.md). */
export { compareSets, type PostedAlert } from "./alert.ts";
export type { Delivery, DeliveryOutcome, NotifiedAlert } from "./delivery.ts";
export { matcherText, readMatchers } from "./matcher-text.ts";
export type { Integration, RouterPlan } from "./plan.ts";
export { DEFAULT_ROUTE, matchesAll, type Route, routeKey, type RouteOptions } from "./route.ts";
export { Router, type RouterRecord, type ShownAlert, type ShownGroup } from "./router.ts";
export { type PostedSilence, type Silence, stateOf } from "./silences.ts";
export { isZone, type Range, type TimeInterval } from "./time-interval.ts";
export { webhookJson } from "./payload.ts";
export { htmlOf, templateData } from "./template-data.ts";
