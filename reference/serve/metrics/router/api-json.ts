import { Labels, Matcher } from "../../../metrics/model/index.ts";
import {
  type PostedAlert,
  type PostedSilence,
  type ShownAlert,
  type ShownGroup,
  type Silence,
  stateOf,
} from "../../../metrics/router/index.ts";

/** The shapes of `/api/v2`: Alertmanager, api/v2/openapi.yaml. */

/** What a client sends that is not what the API asks for. */
export class BadRequest extends Error {
  override readonly name = "BadRequest";
  readonly status: number;
  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

type Json = Readonly<Record<string, unknown>>;
const isMap = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

const TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[-+]\d\d:\d\d)$/;
/** A time in an answer. */
export const timeText = (ms: number): string => new Date(ms).toISOString();

/** Go's zero time, which clients send for none. */
const NO_TIME = Date.parse("0001-01-01T00:00:00Z");

function timeIn(of: Json, name: string): number | undefined {
  const written = of[name];
  if (written === undefined || written === null || written === "") return undefined;
  const ms = typeof written === "string" && TIME.test(written) ? Date.parse(written) : Number.NaN;
  if (Number.isNaN(ms)) throw new BadRequest(`${name} is not a time: write 2026-03-02T10:00:00Z`);
  return ms === NO_TIME ? undefined : ms;
}
function textIn(of: Json, name: string): string {
  const written = of[name] ?? "";
  if (typeof written !== "string" || !written.isWellFormed()) throw new BadRequest(`${name} is not a text`);
  return written;
}
function labelsIn(of: Json, name: string): Labels {
  const written = of[name] ?? {};
  if (!isMap(written)) throw new BadRequest(`${name} is not an object of texts`);
  for (const [label, value] of Object.entries(written))
    if (typeof value !== "string" || label === "" || !label.isWellFormed() || !value.isWellFormed())
      throw new BadRequest(`${name} has ${JSON.stringify(label)}, which is not a name with a text`);
  return Labels.of(written as Record<string, string>);
}

/** The most alerts of one request. */
const MOST_ALERTS = 50_000;

/** Reads posted alerts. Throws `BadRequest`. */
export function alertsIn(body: unknown): PostedAlert[] {
  if (!Array.isArray(body)) throw new BadRequest("the content is not a list of alerts");
  if (body.length > MOST_ALERTS) throw new BadRequest(`more than ${MOST_ALERTS} alerts: send them in several requests`);
  return body.map((one: unknown) => {
    if (!isMap(one)) throw new BadRequest("an alert is not an object");
    return {
      labels: labelsIn(one, "labels"),
      annotations: labelsIn(one, "annotations"),
      startsAt: timeIn(one, "startsAt"),
      endsAt: timeIn(one, "endsAt"),
      generatorUrl: textIn(one, "generatorURL"),
    };
  });
}

/** Reads a posted silence. Throws `BadRequest`, or `BadPattern` for a bad regular expression. */
export function silenceIn(body: unknown): PostedSilence {
  if (!isMap(body)) throw new BadRequest("the content is not an object");
  const { matchers } = body;
  const [startsAt, endsAt] = [timeIn(body, "startsAt"), timeIn(body, "endsAt")];
  if (!Array.isArray(matchers)) throw new BadRequest("matchers is not a list");
  if (startsAt === undefined || endsAt === undefined) throw new BadRequest(`${startsAt === undefined ? "startsAt" : "endsAt"} is missing`);
  for (const name of ["comment", "createdBy"]) if (typeof body[name] !== "string") throw new BadRequest(`${name} is missing`);
  return {
    id: textIn(body, "id"),
    matchers: matchers.map(matcherIn),
    startsAt,
    endsAt,
    createdBy: textIn(body, "createdBy"),
    comment: textIn(body, "comment"),
  };
}

function matcherIn(one: unknown): Matcher {
  if (!isMap(one)) throw new BadRequest("a matcher is not an object");
  const { isRegex, isEqual = true } = one;
  const name = textIn(one, "name");
  if (name === "" || typeof one["value"] !== "string" || typeof isRegex !== "boolean" || typeof isEqual !== "boolean")
    throw new BadRequest("a matcher needs name, value and isRegex; isEqual may be left out");
  return new Matcher(name, isRegex ? (isEqual ? "=~" : "!~") : isEqual ? "=" : "!=", textIn(one, "value"));
}

export const silenceJson = (silence: Silence, now: number): Json => ({
  id: silence.id,
  status: { state: stateOf(silence, now) },
  updatedAt: timeText(silence.updatedAt),
  comment: silence.comment,
  createdBy: silence.createdBy,
  startsAt: timeText(silence.startsAt),
  endsAt: timeText(silence.endsAt),
  matchers: silence.matchers.map(({ name, operator, value }) => ({
    name,
    value,
    isRegex: operator.endsWith("~"),
    isEqual: operator.startsWith("="),
  })),
});

export const alertJson = ({ alert, receivers, silencedBy, inhibitedBy }: ShownAlert, mutedBy: readonly string[] = []): Json => ({
  annotations: alert.annotations.toJSON(),
  endsAt: timeText(alert.endsAt),
  fingerprint: alert.fingerprint,
  receivers: receivers.map((name) => ({ name })),
  startsAt: timeText(alert.startsAt),
  status: {
    inhibitedBy,
    mutedBy,
    silencedBy,
    state: silencedBy.length + inhibitedBy.length + mutedBy.length > 0 ? "suppressed" : "active",
  },
  updatedAt: timeText(alert.updatedAt),
  ...(alert.generatorUrl !== "" && { generatorURL: alert.generatorUrl }),
  labels: alert.labels.toJSON(),
});

export const groupJson = ({ group, mutedBy }: ShownGroup, alerts: readonly ShownAlert[]): Json => ({
  alerts: alerts.map((one) => alertJson(one, mutedBy)),
  labels: group.labels.toJSON(),
  receiver: { name: group.route.options.receiver },
});
