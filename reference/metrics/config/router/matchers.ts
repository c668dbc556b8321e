import { BadPattern, Matcher } from "../../model/index.ts";
import { matcherText, readMatchers } from "../../router/index.ts";
import { list, map, text, type Kind } from "../kinds.ts";

/** Alertmanager docs, configuration.md, `<matcher>`. */

const TEXTS = list(text);
/** A list of texts, each of which has one matcher or several. */
export const MATCHERS: Kind<readonly Matcher[]> = {
  read: (at) => {
    const found: Matcher[] = [];
    for (const item of at.items() ?? []) {
      const written = item.text();
      if (written === undefined) continue;
      const read = readMatchers(written);
      if ("fault" in read) item.fail(`${JSON.stringify(written)} is not a matcher: ${read.fault}`);
      else found.push(...read.matchers);
    }
    return found;
  },
  show: (matchers) => matchers.map((one) => matcherText(one)),
};

const checkName = (name: string): string | undefined => (name === "" || !name.isWellFormed() ? "it is not the name of a label" : undefined);
/** The older form: names with values. */
export const MATCH = map(text, checkName);
/** The older form: names with regular expressions. */
export const MATCH_RE: Kind<Readonly<Record<string, string>>> = {
  ...MATCH,
  read: (at) => {
    const found = MATCH.read(at);
    for (const { at: place, key, value } of found === undefined ? [] : (at.entries() ?? []))
      try {
        if (value.isNull) place.fail("the regular expression is missing");
        void new Matcher(key, "=~", found?.[key] ?? "");
      } catch (error) {
        if (!(error instanceof BadPattern)) throw error;
        place.fail(error.message);
      }
    return found;
  },
};

type Written = {
  readonly match: Readonly<Record<string, string>>;
  readonly match_re: Readonly<Record<string, string>>;
  readonly matchers: readonly Matcher[];
};
/** The matchers of all forms, in the order and with the text that other routers show receivers in `groupKey`. */
export const allMatchers = ({ match, match_re, matchers }: Written): Matcher[] =>
  [
    ...Object.entries(match).map(([name, value]) => new Matcher(name, "=", value)),
    ...Object.entries(match_re).map(([name, value]) => new Matcher(name, "=~", `^(?:${value})$`)),
    ...matchers,
  ].sort((a, b) => {
    const [one, other] = [a, b].map(({ name, value, operator }) => `${name}\0${value}\0${ORDER.indexOf(operator)}`);
    return one! < other! ? -1 : one! > other! ? 1 : 0;
  });
const ORDER = ["=", "!=", "=~", "!~"];

/** Names of labels. */
export const LABEL_NAMES: Kind<readonly string[]> = {
  ...TEXTS,
  read: (at) => {
    const names = TEXTS.read(at);
    for (const [index, item] of (names === undefined ? [] : (at.items() ?? [])).entries()) {
      const wrong = checkName(names?.[index] ?? "");
      if (wrong !== undefined) item.fail(wrong);
    }
    return names;
  },
};
