import type { ApiAnswer, ApiGroup, ApiRule, CaseRecord } from "./record.ts";
import type { Rules } from "./seen.ts";

/** What must be true of /api/v1/rules and /api/v1/alerts. */

const rulesOf = ({ shown }: CaseRecord): ApiRule[] => shown.at(-1)?.groups.flatMap(({ rules }) => rules) ?? [];
const ruleOf = (record: CaseRecord, name: string): ApiRule | undefined => rulesOf(record).find((one) => one.name === name);
const fieldOf = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce(
      (part: unknown, name) => (typeof part === "object" && part !== null ? (part as Record<string, unknown>)[name] : undefined),
      value,
    );
/** The groups of an answer. */
const groupsIn = ({ body }: ApiAnswer): readonly ApiGroup[] => (fieldOf(body, "data.groups") as readonly ApiGroup[] | undefined) ?? [];
const namesIn = (answer: ApiAnswer): string[] => groupsIn(answer).flatMap(({ rules }) => rules.map(({ name }) => name));
/** The groups of this case only. */
const ownGroups = ({ files }: CaseRecord, answer: ApiAnswer): ApiGroup[] => groupsIn(answer).filter(({ file }) => files.includes(file));
const isOfType = (value: unknown, type: string): boolean =>
  type === "time"
    ? typeof value === "string" && !Number.isNaN(Date.parse(value))
    : type === "array"
      ? Array.isArray(value)
      : typeof value === type;

export const API_RULES: Rules = {
  health: (record, [name = "", health = ""]) => {
    const found = ruleOf(record, name);
    return found?.health === health ? undefined : `the health of ${name} is ${found?.health ?? "not shown"}`;
  },
  "has-error": (record, [name = ""]) => {
    const found = ruleOf(record, name);
    return (found?.lastError ?? "") === "" ? `${name} is shown without lastError` : undefined;
  },
  /** A rule has fields of these types, written as `name:type`. */
  "rule-fields": (record, [name = "", ...fields]) => {
    const found = ruleOf(record, name);
    if (found === undefined) return `${name} is not shown`;
    const odd = fields.find((one) => !isOfType(fieldOf(found, one.split(":")[0]!), one.split(":")[1]!));
    return odd === undefined ? undefined : `${name} has no ${odd.replace(":", " of the type ")}: ${JSON.stringify(found)}`;
  },
  /** A field of a rule has this value. */
  "rule-is": (record, [name = "", field = "", value = ""]) => {
    const found = ruleOf(record, name);
    return String(fieldOf(found, field)) === value ? undefined : `${field} of ${name} is ${JSON.stringify(fieldOf(found, field))}`;
  },
  "group-is": (record, [name = "", field = "", value = ""]) => {
    const found = record.shown.at(-1)?.groups.find((one) => one.name === name);
    return String(fieldOf(found, field)) === value ? undefined : `${field} of ${name} is ${JSON.stringify(fieldOf(found, field))}`;
  },
  /** The group is shown with the path of its file. */
  "group-file": ({ shown, files }, [name = ""]) => {
    const found = shown.at(-1)?.groups.find((one) => one.name === name);
    return found?.file === files[0] ? undefined : `the file of ${name} is ${found?.file ?? "not shown"}`;
  },
  /** Rules are shown in the order of the file. */
  "rules-in-order": (record, names) => {
    const found = rulesOf(record).map(({ name }) => name);
    return found.join() === names.join() ? undefined : `the rules are ${found.join(", ")}`;
  },
  "alert-fields": ({ shown }, [name = "", ...fields]) => {
    const found = shown.at(-1)?.alerts.find(({ labels }) => labels["alertname"] === name);
    if (found === undefined) return `the alert ${name} is not shown`;
    const odd = fields.find((one) => !isOfType(fieldOf(found, one.split(":")[0]!), one.split(":")[1]!));
    return odd === undefined ? undefined : `${name} has no ${odd.replace(":", " of the type ")}: ${JSON.stringify(found)}`;
  },
  /** The rules of the case in the n-th answer, from 1 on; all names, in any order. */
  answers: (record, [nth = "1", ...names]) => {
    const answer = record.answers[Number(nth) - 1];
    if (answer === undefined || answer.status !== 200) return `the answer to ${answer?.path ?? "the request"} is ${answer?.status ?? 0}`;
    const found = ownGroups(record, answer).flatMap(({ rules }) => rules.map(({ name }) => name));
    return found.toSorted().join() === names.toSorted().join()
      ? undefined
      : `${answer.path} shows ${found.join(", ") || "none of the rules"}`;
  },
  /** The whole answer has only these rules. */
  "answers-only": ({ answers }, [nth = "1", ...names]) => {
    const answer = answers[Number(nth) - 1];
    if (answer === undefined || answer.status !== 200) return `the answer to ${answer?.path ?? "the request"} is ${answer?.status ?? 0}`;
    const found = namesIn(answer);
    if (found.length === 0) return `${answer.path} shows no rule`;
    const odd = found.find((name) => !names.includes(name));
    return odd === undefined ? undefined : `${answer.path} shows ${odd}`;
  },
  /** Every rule of the answer has this value in a field. */
  "answers-all": ({ answers }, [nth = "1", field = "", value = ""]) => {
    const answer = answers[Number(nth) - 1];
    const rules = answer === undefined ? [] : groupsIn(answer).flatMap((group) => group.rules);
    if (answer === undefined || rules.length === 0) return `${answer?.path ?? "the request"} shows no rule`;
    const odd = rules.find((one) => String(fieldOf(one, field)) !== value);
    return odd === undefined ? undefined : `${answer.path} shows ${odd.name} with ${field} ${JSON.stringify(fieldOf(odd, field))}`;
  },
  /** No rule of the answer has alerts. */
  "answers-no-alerts": ({ answers }, [nth = "1"]) => {
    const answer = answers[Number(nth) - 1];
    const rules = answer === undefined ? [] : groupsIn(answer).flatMap((group) => group.rules);
    if (answer === undefined || rules.length === 0) return `${answer?.path ?? "the request"} shows no rule`;
    const odd = rules.find(({ alerts }) => (alerts?.length ?? 0) > 0);
    return odd === undefined ? undefined : `${answer.path} shows alerts of ${odd.name}`;
  },
  /** No group without rules. */
  "no-empty-groups": ({ answers }, [nth = "1"]) => {
    const answer = answers[Number(nth) - 1];
    const odd = answer === undefined ? undefined : groupsIn(answer).find(({ rules }) => rules.length === 0);
    if (answer === undefined || answer.status !== 200) return "there is no answer";
    return odd === undefined ? undefined : `${answer.path} shows the group ${odd.name} without rules`;
  },
  status: ({ answers }, [nth = "1", status = ""]) => {
    const answer = answers[Number(nth) - 1];
    return String(answer?.status ?? 0) === status ? undefined : `the answer to ${answer?.path ?? "the request"} is ${answer?.status ?? 0}`;
  },
  /** The answer has so many groups at most, and a token for the next. */
  "page-of": ({ answers }, [nth = "1", most = "1"]) => {
    const answer = answers[Number(nth) - 1];
    if (answer === undefined || answer.status !== 200) return `the answer is ${answer?.status ?? 0}`;
    const token = fieldOf(answer.body, "data.groupNextToken");
    if (groupsIn(answer).length > Number(most)) return `${groupsIn(answer).length} groups are shown`;
    return typeof token === "string" && token !== "" ? undefined : "there is no groupNextToken";
  },
  "last-page": ({ answers }, [nth = "1"]) => {
    const token = fieldOf(answers[Number(nth) - 1]?.body, "data.groupNextToken");
    return token === undefined ? undefined : `groupNextToken is ${JSON.stringify(token)}`;
  },
};
