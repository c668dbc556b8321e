import { type Answer, ApiError } from "./answer.ts";
import type { AlertStatus, ApiParts, GroupStatus, RuleStatus } from "./contract.ts";
import { isTrue, type Params } from "./params.ts";

/** Rules and alerts (Prometheus docs, querying/api.md, "Rules" and "Alerts"). */

const TYPES: Readonly<Record<string, RuleStatus["type"]>> = { alert: "alerting", record: "recording" };

/** `rules`: the groups that pass the filters, with their rules. */
export function rules({ rules: source }: ApiParts, params: Params): Answer {
  const type = params.text("type").toLowerCase();
  if (type !== "" && TYPES[type] === undefined) throw new ApiError("bad_data", `not supported value ${JSON.stringify(type)}`);
  const isWithoutAlerts = isTrue(params, "exclude_alerts");
  const selectors = params.selectors();
  const [names, groups, files] = [asked(params, "rule_name[]"), asked(params, "rule_group[]"), asked(params, "file[]")];
  const isWanted = (rule: RuleStatus): boolean =>
    (type === "" || rule.type === TYPES[type]) &&
    names(rule.name) &&
    (selectors.length === 0 || selectors.some((matchers) => matchers.every((one) => one.matches(rule.labels[one.name] ?? ""))));
  const found = (source?.groups() ?? []).flatMap((group) => {
    if (!groups(group.name) || !files(group.file)) return [];
    const kept = group.rules.filter(isWanted);
    // As in the version of the API that we name, a group without rules is not shown.
    return kept.length === 0 ? [] : [{ ...group, rules: kept.map((rule) => shown(rule, isWithoutAlerts)) }];
  });
  return { data: page(found, params) };
}

function asked(params: Params, name: string): (value: string) => boolean {
  const values = new Set(params.texts(name));
  return (value) => values.size === 0 || values.has(value);
}

function shown(rule: RuleStatus, isWithoutAlerts: boolean): Record<string, unknown> {
  const { lastError, labels, alerts, ...rest } = rule;
  return {
    ...rest,
    labels,
    ...(rule.type === "alerting" && { alerts: isWithoutAlerts ? [] : (alerts ?? []) }),
    ...(lastError !== "" && { lastError }),
  };
}

type Shown = Omit<GroupStatus, "rules"> & { readonly rules: readonly unknown[] };

/** Identifies a group in the token of the next page. */
const tokenOf = ({ file, name }: Shown): string =>
  Array.from(new TextEncoder().encode(`${file};${name}`), (octet) => octet.toString(16).padStart(2, "0")).join("");

/** The groups of one page, if pages are asked for. */
function page(groups: readonly Shown[], params: Params): { readonly groups: readonly Shown[]; readonly groupNextToken?: string } {
  const most = params.limit("group_limit");
  const token = params.text("group_next_token");
  if (!Number.isFinite(most)) {
    if (token !== "") throw new ApiError("bad_data", "group_limit needs to be present in order to paginate over the groups");
    return { groups };
  }
  const from = token === "" ? 0 : groups.findIndex((group) => tokenOf(group) === token);
  if (from === -1)
    throw new ApiError("bad_data", `invalid group_next_token ${JSON.stringify(token)}: the groups may have changed; begin again`);
  const next = groups[from + most];
  return { groups: groups.slice(from, from + most), ...(next !== undefined && { groupNextToken: tokenOf(next) }) };
}

/** `alerts`: the alerts of all rules that are active. */
export function alerts({ rules: source }: ApiParts): Answer {
  const all: AlertStatus[] = (source?.groups() ?? []).flatMap(({ rules: own }) => own.flatMap(({ alerts: active }) => active ?? []));
  return { data: { alerts: all } };
}

/** `alertmanagers`: where alerts are sent. */
export function alertmanagers({ rules: source }: ApiParts): Answer {
  const { active, dropped } = source?.routers() ?? { active: [], dropped: [] };
  const shownAs = (urls: readonly string[]): { readonly url: string }[] => urls.map((url) => ({ url }));
  return { data: { activeAlertmanagers: shownAs(active), droppedAlertmanagers: shownAs(dropped) } };
}
