import { RE2JS } from "re2js";
import { version } from "../../../../version.ts";
import { Misuse } from "../../../core/index.ts";
import type { Request, Response } from "../../../http/index.ts";
import { BadPattern, compareText, type Matcher } from "../../../metrics/model/index.ts";
import {
  compareSets,
  matchesAll,
  readMatchers,
  type Router,
  type ShownAlert,
  type Silence,
  stateOf,
} from "../../../metrics/router/index.ts";
import { FileFault } from "../../../metrics/tsdb/index.ts";
import { alertJson, alertsIn, BadRequest, groupJson, silenceIn, silenceJson, timeText } from "./api-json.ts";
import type { RouterDrive } from "./drive.ts";

/** The API of a router: Alertmanager, api/v2/openapi.yaml. */

/** The longest content of a request, in octets. */
const MOST_OCTETS = 32 << 20;
/** The most filters of one request. */
const MOST_FILTERS = 100;
/** Clients decide by it what they may ask for. */
const API_VERSION = "0.34.2";

export type ApiParts = {
  readonly router: Router;
  readonly drive: RouterDrive;
  readonly now: () => number;
  readonly started: number;
  /** The configuration without its secrets. */
  readonly configText: () => string;
};

const json = (value: unknown, status = 200): Response => ({
  status,
  fields: [["content-type", "application/json"]],
  body: `${JSON.stringify(value)}\n`,
});

type Answer = (request: Request, parts: ApiParts, rest: string) => Response | Promise<Response>;
type Methods = Readonly<Record<string, Answer>>;

const ROUTES: Readonly<Record<string, Methods>> = {
  "/status": { GET: (_, parts) => json(status(parts)) },
  "/receivers": { GET: (_, { router }) => json([...router.plan.receivers.keys()].map((name) => ({ name }))) },
  "/alerts": { GET: getAlerts, POST: postAlerts },
  "/alerts/groups": { GET: getGroups },
  "/silences": { GET: getSilences, POST: postSilence },
  "/silence/": { GET: getSilence, DELETE: deleteSilence },
};

/** The answer to a request below `/api/v2`; undefined for any other path. */
export async function routerApi(request: Request, parts: ApiParts, path: string): Promise<Response | undefined> {
  if (!path.startsWith("/api/v2/")) return undefined;
  const own = path.slice("/api/v2".length);
  const [, id] = /^\/silence\/([^/]+)$/.exec(own) ?? [];
  const methods = id === undefined ? (Object.hasOwn(ROUTES, own) ? ROUTES[own] : undefined) : ROUTES["/silence/"];
  if (methods === undefined) return json(`there is nothing at ${path}`, 404);
  const names = [...Object.keys(methods), ...("GET" in methods ? ["HEAD"] : []), "OPTIONS"].join(", ");
  if (request.method === "OPTIONS") return { status: 204, fields: [["allow", names]] };
  const answer = methods[request.method === "HEAD" ? "GET" : request.method];
  if (answer === undefined) return { ...json(`${request.method} is not for ${path}`, 405), fields: [["allow", names]] };
  try {
    return await answer(request, parts, id ?? "");
  } catch (error) {
    if (error instanceof BadRequest) return json(error.message, error.status);
    if (error instanceof BadPattern) return json(error.message, 400);
    if (error instanceof FileFault) return json(`it could not be stored: ${error.message}`, 500);
    throw error;
  }
}

const status = ({ configText, started }: ApiParts) => ({
  cluster: { name: "", peers: [], status: "disabled" },
  config: { original: configText() },
  uptime: timeText(started),
  versionInfo: { branch: "", buildDate: "", buildUser: "", goVersion: "", revision: `touchstone ${version}`, version: API_VERSION },
});

async function contentOf(request: Request): Promise<unknown> {
  // A page of another origin cannot send this type without asking first (Fetch, "CORS-safelisted request-header").
  const type = (request.fields.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new BadRequest(`the Content-Type is ${JSON.stringify(type)}: send application/json`, 415);
  let text: string;
  try {
    text = await request.body.text(MOST_OCTETS);
  } catch (error) {
    if (error instanceof Misuse) throw new BadRequest(`the content is longer than ${MOST_OCTETS} octets`, 413);
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BadRequest(`the content is not JSON: ${(error as Error).message}`);
  }
}

async function postAlerts(request: Request, { drive }: ApiParts): Promise<Response> {
  const alerts = alertsIn(await contentOf(request));
  const faults = drive.change((router, now) => router.receive(alerts, now));
  if (faults.length === 0) return { status: 200 };
  const more = faults.length > 10 ? `; and ${faults.length - 10} more` : "";
  return json(`${faults.slice(0, 10).join("; ")}${more}`, 400);
}

/** The parameters of a request for alerts. */
class Filter {
  readonly #params: URLSearchParams;
  readonly matchers: readonly Matcher[];
  readonly #receiver: RE2JS | undefined;

  constructor({ path }: Request) {
    this.#params = new URLSearchParams(path.slice(path.includes("?") ? path.indexOf("?") + 1 : path.length));
    const texts = this.#params.getAll("filter");
    if (texts.length > MOST_FILTERS) throw new BadRequest(`more than ${MOST_FILTERS} filters`);
    this.matchers = texts.flatMap((text) => {
      const read = readMatchers(text);
      if ("fault" in read) throw new BadRequest(`bad matcher format: ${JSON.stringify(text)}: ${read.fault}`);
      return read.matchers;
    });
    const receiver = this.#params.get("receiver");
    try {
      this.#receiver = receiver === null ? undefined : RE2JS.compile(receiver);
    } catch (error) {
      throw new BadRequest(`receiver is not a regular expression: ${(error as Error).message}`);
    }
  }

  isOn(name: string): boolean {
    const value = this.#params.get(name) ?? "true";
    if (value !== "true" && value !== "false") throw new BadRequest(`${name} is true or false`);
    return value === "true";
  }

  takesReceiver(name: string): boolean {
    return this.#receiver === undefined || this.#receiver.matches(name);
  }

  /** Tells alerts by their labels and by what mutes them. */
  alerts(): (one: ShownAlert) => boolean {
    const [isActive, isSilenced, isInhibited] = [this.isOn("active"), this.isOn("silenced"), this.isOn("inhibited")];
    this.isOn("unprocessed");
    return ({ alert, silencedBy, inhibitedBy }) =>
      matchesAll(this.matchers, alert.labels) &&
      (isActive || silencedBy.length + inhibitedBy.length > 0) &&
      (isSilenced || silencedBy.length === 0) &&
      (isInhibited || inhibitedBy.length === 0);
  }
}

function getAlerts(request: Request, { router, now }: ApiParts): Response {
  const filter = new Filter(request);
  const takes = filter.alerts();
  const found = router.alerts(now()).filter((one) => takes(one) && one.receivers.some((name) => filter.takesReceiver(name)));
  return json(found.sort((a, b) => compareText(a.alert.fingerprint, b.alert.fingerprint)).map((one) => alertJson(one)));
}

function getGroups(request: Request, { router, now }: ApiParts): Response {
  const filter = new Filter(request);
  const takes = filter.alerts();
  const isMuted = filter.isOn("muted");
  const found = router.groups(now()).flatMap((one) => {
    if (!filter.takesReceiver(one.group.route.options.receiver) || (!isMuted && one.mutedBy.length > 0)) return [];
    const alerts = one.alerts.filter(takes).sort((a, b) => compareText(a.alert.fingerprint, b.alert.fingerprint));
    return alerts.length === 0 ? [] : [{ one, alerts }];
  });
  const receiver = (shown: (typeof found)[number]): string => shown.one.group.route.options.receiver;
  found.sort((a, b) => compareSets(a.one.group.labels, b.one.group.labels) || compareText(receiver(a), receiver(b)));
  return json(found.map(({ one, alerts }) => groupJson(one, alerts)));
}

const ORDER = { active: 0, pending: 1, expired: 2 } as const;

function getSilences(request: Request, { router, now }: ApiParts): Response {
  const { matchers } = new Filter(request);
  const at = now();
  const takes = ({ matchers: own }: Silence): boolean =>
    matchers.every(
      (asked) =>
        own.some(({ name, value, operator }) => name === asked.name && operator === asked.operator && value === asked.value) ||
        labelsTake(own, asked),
    );
  const found = router.silences.all.filter(takes);
  found.sort(
    (a, b) => ORDER[stateOf(a, at)] - ORDER[stateOf(b, at)] || (stateOf(a, at) === "expired" ? b.endsAt - a.endsAt : a.endsAt - b.endsAt),
  );
  return json(found.map((one) => silenceJson(one, at)));
}

/** Whether the value that a silence asks of a label is one that a filter asks for. */
function labelsTake(own: readonly Matcher[], asked: Matcher): boolean {
  const of = own.filter(({ name }) => name === asked.name);
  return of.length > 0 ? of.some(({ value }) => asked.matches(value)) : asked.matches("");
}

async function postSilence(request: Request, { drive }: ApiParts): Promise<Response> {
  const posted = silenceIn(await contentOf(request));
  const made = drive.change((router, now) => router.setSilence(posted, now));
  if (!("fault" in made)) return json({ silenceID: made.id });
  return json(made.message, made.fault === "unknown" ? 404 : 400);
}

function getSilence(_: Request, { router, now }: ApiParts, id: string): Response {
  const found = router.silences.get(id);
  return found === undefined ? json(`there is no silence ${id}`, 404) : json(silenceJson(found, now()));
}

function deleteSilence(_: Request, { drive }: ApiParts, id: string): Response {
  const ended = drive.change((router, now) => router.expireSilence(id, now));
  // One that has expired already is as the client wants it.
  if (!("fault" in ended) || ended.fault === "expired") return { status: 200 };
  return json(ended.message, ended.fault === "unknown" ? 404 : 400);
}
