import { type Case, isOwnControl, type Role } from "./case.ts";
import { requirementRefs, sections, type RequirementFile } from "./coverage.ts";
import { levelFaults, type Duty } from "./levels.ts";

type AnySight = { readonly see: string; readonly of?: readonly AnySight[]; readonly ok?: boolean };
type AnyCase = Case<Readonly<Record<string, unknown>>, AnySight>;

/** What the rules need besides the cases: the requirement files, and the names that a suite's driver knows. */
export type LintContext = {
  readonly requirements: readonly RequirementFile[];
  /** Names that `needs` may use, by role. */
  readonly features: Readonly<Partial<Record<Role, readonly string[]>>>;
  /** Names that a `holds` sight may use. */
  readonly monitors: readonly string[];
  /** Sights of a subject that refuses. */
  readonly refusals: readonly string[];
};

const ID = /^[a-z0-9]+(?:-[a-z0-9]+)*\/[a-z0-9]+(?:-[a-z0-9]+)*$/;
const LEVELS = new Set(["MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY"]);
const REPEATS = 10_000;
/** The maximum length of repeated text, in octets. */
const REPEATED_OCTETS = 4_194_304;
/** Milliseconds. The group abuse measures patience and may wait longer: the usual limit for a head is a minute. */
const WAIT = { usual: 10_000, abuse: 90_000 } as const;

/** Mistakes in the cases themselves, one line each. */
export function lint(given: readonly Case<unknown, unknown>[], context: LintContext): string[] {
  const cases = given as readonly AnyCase[];
  const seen = new Set<string>();
  const known = requirementRefs(context.requirements);
  const addresses = sections(context.requirements);
  const duties = new Map<string, Duty>(
    context.requirements.flatMap(({ spec, requirements }) => requirements.map((one) => [`${spec}#${one.id}`, one] as const)),
  );
  const ids = new Map<string, Role>(cases.map(({ id, role }) => [id, role]));
  return cases.flatMap((c) => {
    const wrong: string[] = [];
    if (!ID.test(c.id)) wrong.push("its id is not words of lower-case letters and digits joined by hyphens");
    if (seen.has(c.id)) wrong.push("its id is used twice");
    seen.add(c.id);
    if (/-\d+$/.test(c.id) && /^(?:case|test)/.test(c.id.split("/")[1] ?? "")) wrong.push("its id is a position, not words");
    if (!LEVELS.has(c.level)) wrong.push(`its level ${c.level} is unknown`);
    if (addresses.size > 0 && !addresses.has(c.spec)) wrong.push(`its section ${c.spec} is in no requirements file`);
    if (c.covers.length === 0) wrong.push("it covers nothing");
    for (const ref of c.covers) if (known.size > 0 && !known.has(ref)) wrong.push(`it covers ${ref}, which is in no requirements file`);
    const covered = c.covers.flatMap((ref) => duties.get(ref) ?? []);
    if (covered.length > 0) wrong.push(...levelFaults(c, covered, judgesRefusal(c, context.refusals)));
    for (const id of c.inverse ?? []) if (ids.get(id) !== c.role) wrong.push(`its inverse ${id} is no case for a ${c.role}`);
    if (c.controlBreaks !== undefined) wrong.push(...breaksOf(c, context));
    if (!/^[A-Z].*\.$/s.test(c.title)) wrong.push("its title is not a sentence");
    wrong.push(...stepsOf(c, context), ...outcomesOf(c, context));
    for (const need of c.needs ?? []) {
      if (!(context.features[c.role] ?? []).includes(need)) wrong.push(`it needs "${need}", which no probe of a ${c.role} detects`);
    }
    return wrong.map((line) => `${c.id}: ${line}`);
  });
}

/** `controlBreaks` names a MUST, and only in a case that is not a MUST itself. */
function breaksOf({ level, controlBreaks: ref }: AnyCase, { requirements }: LintContext): string[] {
  const asked = requirements.flatMap(({ spec, requirements: all }) => all.filter(({ id }) => `${spec}#${id}` === ref));
  const wrong = asked.some((one) => one.level.startsWith("MUST")) ? [] : [`refusing its control breaks ${ref}, which is not a MUST`];
  return level.startsWith("MUST") ? [...wrong, "it is a MUST itself: controlBreaks adds nothing"] : wrong;
}

const isWithin = (value: unknown, most: number): boolean => typeof value === "number" && value >= 1 && value <= most;

function stepsOf(c: AnyCase, { refusals }: LintContext): string[] {
  const wrong: string[] = [];
  if (c.steps.length === 0) wrong.push("it has no steps");
  if (c.control.length === 0) wrong.push("it has no control");
  // A case without a mistake judges the answer itself; any other needs a legal twin that differs.
  const observes = c.allowed.every(({ see }) => isPositive(see, refusals));
  if (!observes && isOwnControl(c)) wrong.push("its control is the case itself");
  for (const step of [...c.steps, ...c.control]) {
    const { times, ms, text } = step;
    const most = typeof text !== "string" ? REPEATS : Math.floor(REPEATED_OCTETS / Math.max(1, text.length));
    if (step["do"] === "repeat" && !isWithin(times, most)) wrong.push(`it repeats ${String(times)} times: 1 to ${most}`);
    const longest = WAIT[c.group ?? "usual"];
    if (step["do"] === "wait" && !isWithin(ms, longest)) wrong.push(`it waits ${String(ms)} ms: 1 to ${longest}`);
    for (const hex of hexIn(step))
      if (!/^(?:[0-9a-f]{2})*$/i.test(hex.replaceAll(/\s/g, ""))) wrong.push(`"${hex.slice(0, 24)}" is not whole octets of hex`);
  }
  if (c.group !== "abuse" && [...c.steps, ...c.control].some((step) => Number(step["times"] ?? 0) > 1000))
    wrong.push("it repeats more than 1,000 times outside the group abuse");
  return wrong;
}

const hexIn = (value: unknown): string[] => {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, member]) =>
    (name === "hex" || name === "block") && typeof member === "string" ? [member] : hexIn(member),
  );
};

/** Whether the connection continues after the sight. */
const isPositive = (see: AnySight, refusals: readonly string[]): boolean =>
  see.see === "all" || see.see === "any"
    ? (see.of ?? []).every((one) => isPositive(one, refusals))
    : !refusals.includes(see.see) && see.ok !== false;

/** Whether the strict outcome is that the subject refuses, and not what its refusal looks like. */
const judgesRefusal = ({ role, allowed: [strict] }: AnyCase, refusals: readonly string[]): boolean =>
  !isPositive(strict.see, refusals) && (role === "proxy" || monitorsIn(strict).length === 0);

function outcomesOf(c: AnyCase, context: LintContext): string[] {
  const wrong: string[] = [];
  const [strict, ...looser] = c.allowed;
  if (strict.verdict === "warn") wrong.push("its strict outcome is a warning");
  for (const { by } of looser) {
    if (by === undefined) wrong.push("a looser outcome cites nothing");
    else if (!/^(?:rfc\d+|prometheus-[a-z]+|rpc-[a-z0-9-]+|channel)#[\w.-]+$/.test(by))
      wrong.push(`a looser outcome cites "${by}", which is not a section`);
  }
  const kinds = c.allowed.map(({ see }) => JSON.stringify(see));
  if (new Set(kinds).size < kinds.length) wrong.push("it allows the same outcome twice");
  for (const name of monitorsIn(c.allowed)) if (!context.monitors.includes(name)) wrong.push(`there is no monitor "${name}"`);
  return wrong;
}

const monitorsIn = (value: unknown): string[] => {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === "monitor" && typeof member === "string" ? [member] : monitorsIn(member),
  );
};
