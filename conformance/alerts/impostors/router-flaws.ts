import type { Answer, Asked, Fronting } from "./front.ts";
import { contrary, eachRoute, impatient, lazy, overbearing, type RouterConfig } from "./router-config.ts";
import { without } from "./settings.ts";
import type { Notification, Relaying } from "./webhook-relay.ts";

/** Routers that are wrong on purpose: ours with a flaw in its configuration, before its API, or behind its webhooks. */

export type Flaw = {
  readonly about: string;
  readonly config?: (config: RouterConfig) => RouterConfig;
  readonly relay?: Relaying;
  readonly front?: Fronting;
  readonly isSilent?: true;
};

type Json = Readonly<Record<string, unknown>>;
type Payload = Json & { readonly alerts: readonly Json[] };
const payload = (one: Notification, change: (body: Payload) => Json, more: Partial<Notification> = {}): Notification => ({
  ...one,
  ...more,
  body: change(one.body as Payload),
});
const later = (time: unknown): string => new Date(Date.parse(String(time)) + 7_200_000).toISOString();

/** Answers with a list or an object of something else. */
const invented = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.length === 0 ? [{}] : json.slice(1).map((one) => invented(one));
  if (typeof json !== "object" || json === null) return json;
  const { silenceID, startsAt, endsAt, ...rest } = json as Json;
  if (silenceID !== undefined) return { silenceId: silenceID };
  return {
    ...Object.fromEntries(Object.keys(rest).map((name) => [name, "invented"])),
    startsAt: later(startsAt ?? 0),
    endsAt: later(endsAt ?? 0),
  };
};
const isGet = ({ method }: Asked): boolean => method === "GET";
const isApi = ({ path }: Asked): boolean => path.startsWith("/api/");
/** The path with no other parameter than the filter for the case. */
const unfiltered = (asked: Asked): Asked => ({ ...asked, path: asked.path.replace(/&.*$/, "") });
const NEVER = { name: "n", value: "never", isRegex: false, isEqual: true };
const resilenced =
  (change: (matchers: readonly Json[]) => readonly Json[]): Fronting =>
  (asked, forward) => {
    if (asked.method !== "POST" || !asked.path.endsWith("/silences")) return forward(asked);
    const body = JSON.parse(asked.text) as Json;
    return forward({ ...asked, text: JSON.stringify({ ...body, matchers: change((body["matchers"] ?? []) as readonly Json[]) }) });
  };

export const ROUTER_FLAWS: { readonly [name: string]: Flaw } = {
  contrary: { about: "does the opposite of its settings, and inhibits nothing", config: contrary },
  overbearing: { about: "inhibits more than it is to", config: overbearing },
  impatient: { about: "waits for nothing, and repeats everything", config: impatient },
  lazy: { about: "notifies once, and never again", config: lazy },
  simple: {
    about: "knows no routes below that of a case, no groups and no times",
    config: (config) =>
      eachRoute(config, (route) => ({
        ...without(route, "routes", "mute_time_intervals", "active_time_intervals"),
        group_by: ["case"],
      })),
  },
  noisy: {
    about: "sends every notification to all receivers of the case",
    relay: { changed: (one, ends) => [one, ...ends.filter((path) => path !== one.path).map((path) => ({ ...one, path }))] },
  },
  mumbling: {
    about: "sends payloads of its own, with constants in them",
    relay: {
      changed: (one) => [
        payload(
          one,
          ({ alerts, status }) => ({
            version: "3",
            groupKey: "",
            truncatedAlerts: 7,
            status: status === "firing" ? "resolved" : "firing",
            receiver: "nobody",
            groupLabels: { other: "label", case: "x", n: "x", alertname: "x" },
            commonLabels: { n: "x" },
            commonAnnotations: { of: "x" },
            externalURL: "nowhere",
            alerts: alerts.map(({ labels, startsAt }) => ({ status: "unknown", labels, startsAt: later(startsAt), endsAt: "never" })),
          }),
          { method: "PUT", fields: { "content-type": "text/plain", authorization: "Basic wrong" } },
        ),
      ],
    },
  },
  babbling: {
    about: "sends another groupKey each time, other labels, and one alert less",
    relay: {
      changed: (one) => [
        payload(one, (body) => ({
          ...body,
          groupKey: String(Math.random()),
          alerts: [...body.alerts.slice(1), body.alerts[0]!].slice(0, Math.max(1, body.alerts.length - 1)).map((alert) => ({
            ...alert,
            status: "firing",
            labels: { ...(alert["labels"] as Json), n: "x", i: "x", severity: "x", alertname: "x" },
          })),
        })),
      ],
    },
  },
  hasty: { about: "never tries again", relay: { status: () => 200 } },
  stubborn: { about: "sends again what was refused, and what was accepted", relay: { again: () => true } },
  serial: { about: "sends one notification of a case at a time, and none after one that failed", relay: { isSerial: true } },
  inventing: {
    about: "answers with something else",
    front: async (asked, forward, nth) => {
      if (!isApi(asked)) return nth === 1 && isGet(asked) && asked.path === "/-/ready" ? forward(asked) : { status: 500, json: "" };
      const { status, json } = await forward(asked);
      return { status: asked.method === "POST" && status === 200 && !asked.path.endsWith("s/x") ? 202 : status, json: invented(json) };
    },
  },
  blind: {
    about: "filters nothing, and has another fingerprint for each answer",
    front: async (asked, forward) => {
      const { status, json } = await forward(isGet(asked) ? unfiltered(asked) : asked);
      if (!isGet(asked) || !Array.isArray(json)) return { status, json };
      return {
        status,
        json: json.map((one: Json) => ({ ...one, ...(one["fingerprint"] !== undefined && { fingerprint: String(Math.random()) }) })),
      };
    },
  },
  credulous: {
    about: "accepts everything",
    front: async (asked, forward): Promise<Answer> => {
      const answer = await forward(asked);
      return answer.status < 400 ? answer : { status: 200, json: asked.method === "POST" ? { silenceID: "x" } : [] };
    },
  },
  unsilenced: { about: "silences nothing, and forgets matchers", front: resilenced((matchers) => [...matchers.slice(0, 1), NEVER]) },
  oversilenced: { about: "silences all alerts of a case", front: resilenced((matchers) => matchers.slice(0, 1)) },
  immortal: {
    about: "never ends or changes a silence, and begins it when it is posted",
    front: (asked, forward) => {
      if (asked.method === "DELETE") return Promise.resolve({ status: 200, json: "" });
      if (asked.method !== "POST" || !asked.path.endsWith("/silences")) return forward(asked);
      const { startsAt: _, endsAt: __, ...body } = JSON.parse(asked.text) as Json;
      if (body["id"] !== undefined) return Promise.resolve({ status: 200, json: { silenceID: body["id"] } });
      const now = Date.now();
      return forward({
        ...asked,
        text: JSON.stringify({ ...body, startsAt: new Date(now).toISOString(), endsAt: new Date(now + 3_600_000).toISOString() }),
      });
    },
  },
  hoarding: {
    about: "keeps each post as alerts of its own, and never lets them end",
    front: (asked, forward, nth) => {
      if (asked.method !== "POST" || !asked.path.endsWith("/alerts")) return forward(asked);
      const alerts = JSON.parse(asked.text) as unknown;
      if (!Array.isArray(alerts)) return forward(asked);
      const kept = alerts.map((one: Json) => ({
        ...one,
        startsAt: undefined,
        endsAt: undefined,
        labels: { ...(one["labels"] as Json), nth: String(nth) },
      }));
      return forward({ ...asked, text: JSON.stringify(kept) });
    },
  },
  silent: { about: "does nothing", isSilent: true },
};
