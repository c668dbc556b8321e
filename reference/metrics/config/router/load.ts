import { stringify } from "yaml";
import type { Integration, RouterPlan } from "../../router/index.ts";
import { list, path, type ValueOf } from "../kinds.ts";
import { TRACING } from "../sections.ts";
import { Place, type Problem, Source, type NamedFile } from "../source.ts";
import { optional, preset, required, struct } from "../struct.ts";
import { ROUTER_GLOBAL } from "./global.ts";
import { intervalOf, TIME_INTERVAL } from "./intervals.ts";
import { allMatchers } from "./matchers.ts";
import { type EmailConfig, RECEIVER, type WebhookConfig } from "./receivers.ts";
import { allRoutes, INHIBIT_RULE, ROUTE, routeOf, type WrittenRoute } from "./routes.ts";

/** The configuration of an alert router as a whole: Alertmanager docs, configuration.md. */

const WHOLE = struct({
  global: optional(ROUTER_GLOBAL),
  templates: preset(list(path("templates")), []),
  route: required(ROUTE),
  inhibit_rules: preset(list(INHIBIT_RULE, "rule"), []),
  receivers: preset(list(RECEIVER, "receiver"), []),
  mute_time_intervals: preset(list(TIME_INTERVAL, "interval"), []),
  time_intervals: preset(list(TIME_INTERVAL, "interval"), []),
  tracing: optional(TRACING),
});
type Written = ValueOf<typeof WHOLE>;

/** How a receiver is notified in one of its ways, with the defaults of `global`. */
export type ReceiverConfig = (WebhookConfig & { readonly is: "webhook" }) | (EmailConfig & { readonly is: "email" });

export type RouterConfig = {
  /** The part that needs no socket. */
  readonly plan: RouterPlan;
  /** In the order of the integrations in `plan.receivers`. */
  readonly receivers: ReadonlyMap<string, readonly ReceiverConfig[]>;
  /** Patterns of files with templates. */
  readonly templates: readonly string[];
  /** As YAML with defaults, without secrets. */
  readonly text: string;
};

export type LoadedRouterConfig = {
  /** Undefined if there are problems. */
  readonly config: RouterConfig | undefined;
  readonly problems: readonly Problem[];
  /** Settings that are valid and have no effect. */
  readonly notices: readonly Problem[];
  readonly files: readonly NamedFile[];
};

/** Reads and checks the configuration of an alert router. */
export function loadRouterConfig(written: string, file: string): LoadedRouterConfig {
  const source = new Source(file);
  const root = source.parse(written);
  const read = root === undefined ? undefined : WHOLE.read(root);
  if (read !== undefined) check(source, read);
  const { problems, files } = source;
  const isGood = read !== undefined && problems.length === 0;
  return {
    config: isGood ? settled(source, read) : undefined,
    problems: [...problems].sort((a, b) => a.line - b.line),
    notices: isGood ? notices(source, read) : [],
    files,
  };
}

const globalOf = (source: Source, { global }: Written): ValueOf<typeof ROUTER_GLOBAL> =>
  global ?? ROUTER_GLOBAL.read(new Place(source, null, "global", 0))!;
const intervalsIn = ({ mute_time_intervals, time_intervals }: Written) => [...mute_time_intervals, ...time_intervals];

function check(source: Source, written: Written): void {
  const names = (values: readonly { readonly name: string }[], what: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    for (const one of values) {
      if (seen.has(one.name)) source.placeOf(one, "name").fail(`there is another ${what} named ${JSON.stringify(one.name)}`);
      seen.add(one.name);
    }
    return seen;
  };
  const receivers = names(written.receivers as readonly { readonly name: string }[], "receiver");
  const intervals = names(intervalsIn(written), "time interval");
  checkRoot(source, written.route);
  for (const route of allRoutes(written.route)) {
    if (route.receiver && !receivers.has(route.receiver))
      source.placeOf(route, "receiver").fail(`there is no receiver named ${JSON.stringify(route.receiver)}`);
    for (const field of ["mute_time_intervals", "active_time_intervals"] as const)
      for (const name of route[field])
        if (!intervals.has(name)) source.placeOf(route, field).fail(`there is no time interval named ${JSON.stringify(name)}`);
  }
  const global = globalOf(source, written);
  for (const { email_configs } of written.receivers)
    for (const email of email_configs) {
      if (!email.smarthost && !global.smtp_smarthost)
        source.placeOf(email, "smarthost").fail("it is missing: give it here or as global.smtp_smarthost");
      if (!email.from && !global.smtp_from) source.placeOf(email, "from").fail("it is missing: give it here or as global.smtp_from");
    }
}

function checkRoot(source: Source, root: WrittenRoute): void {
  if (!root.receiver) source.placeOf(root, "receiver").fail("it is missing: the first route needs one");
  for (const field of ["match", "match_re", "matchers", "mute_time_intervals", "active_time_intervals"] as const)
    if (Object.keys(root[field]).length > 0)
      source.placeOf(root, field).fail("the first route takes every alert, at any time: move this to a route below it");
  if (root.continue) source.placeOf(root, "continue").fail("no route comes after the first one");
}

function settled(source: Source, written: Written): RouterConfig {
  const global = globalOf(source, written);
  const receivers = new Map(
    written.receivers.map(({ name, webhook_configs, email_configs }): [string, ReceiverConfig[]] => [
      name,
      [
        ...webhook_configs.map((one): ReceiverConfig => ({ ...one, http_config: one.http_config ?? global.http_config, is: "webhook" })),
        ...email_configs.map((one): ReceiverConfig => ({ ...withGlobal(one, global), is: "email" })),
      ],
    ]),
  );
  const integrations = ([name, all]: [string, ReceiverConfig[]]): [string, Integration[]] => [
    name,
    all.map(({ is, send_resolved }) => ({ kind: is, sendResolved: send_resolved })),
  ];
  return {
    plan: {
      route: routeOf(written.route, undefined),
      inhibitRules: written.inhibit_rules.map((rule) => ({
        source: allMatchers({ match: rule.source_match, match_re: rule.source_match_re, matchers: rule.source_matchers }),
        target: allMatchers({ match: rule.target_match, match_re: rule.target_match_re, matchers: rule.target_matchers }),
        equal: rule.equal,
      })),
      timeIntervals: new Map(intervalsIn(written).map(({ name, time_intervals }) => [name, time_intervals.map(intervalOf)])),
      receivers: new Map([...receivers].map(integrations)),
      resolveTimeoutMs: global.resolve_timeout,
    },
    receivers,
    templates: source.files.filter(({ use }) => use === "templates").map((one) => one.path),
    text: stringify(WHOLE.show({ ...written, global })),
  };
}

function withGlobal(email: EmailConfig, global: ValueOf<typeof ROUTER_GLOBAL>): EmailConfig {
  const hasPassword = email.auth_password !== undefined || email.auth_password_file !== undefined;
  const hasSecret = email.auth_secret !== undefined || email.auth_secret_file !== undefined;
  return {
    ...email,
    from: email.from || global.smtp_from,
    hello: email.hello || global.smtp_hello,
    smarthost: email.smarthost || global.smtp_smarthost,
    auth_username: email.auth_username || global.smtp_auth_username,
    auth_identity: email.auth_identity || global.smtp_auth_identity,
    auth_password: hasPassword ? email.auth_password : global.smtp_auth_password,
    auth_password_file: hasPassword ? email.auth_password_file : global.smtp_auth_password_file,
    auth_secret: hasSecret ? email.auth_secret : global.smtp_auth_secret,
    auth_secret_file: hasSecret ? email.auth_secret_file : global.smtp_auth_secret_file,
    require_tls: email.require_tls ?? global.smtp_require_tls,
    force_implicit_tls: email.force_implicit_tls ?? global.smtp_force_implicit_tls,
    tls_config: email.tls_config ?? global.smtp_tls_config,
  };
}

/** Everything that is checked and has no effect. */
function notices(source: Source, written: Written): Problem[] {
  const found: Problem[] = [];
  const note = (value: object, field: string, message: string): void => {
    const { line, path: at } = source.placeOf(value, field);
    found.push({ file: source.file, line, field: at, message });
  };
  if (written.tracing !== undefined) note(written, "tracing", "no traces are exported");
  for (const field of Object.keys(written.global ?? {}))
    if (FOREIGN_GLOBAL.test(field) && (written.global as Record<string, unknown>)[field] !== undefined)
      note(written.global!, field, "it has no effect: receivers of this kind are not supported");
  for (const route of allRoutes(written.route))
    if (Object.keys(route.labels).length > 0) note(route, "labels", "it has no effect: templates cannot ask for labels of a route yet");
  for (const { email_configs } of written.receivers)
    for (const email of email_configs) {
      if (email.auth_identity) note(email, "auth_identity", "it has no effect: only the user name identifies us");
      if (email.threading?.enabled === true) note(email, "threading", "it has no effect: mails are not threaded yet");
    }
  return found.sort((a, b) => a.line - b.line);
}
const FOREIGN_GLOBAL = /^(?:jira|slack|victorops|pagerduty|opsgenie|rocketchat|wechat|telegram|webex|mattermost)_/;
