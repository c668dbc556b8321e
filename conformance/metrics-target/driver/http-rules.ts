import { type Answer, fieldOf } from "./fetch.ts";
import { formatOf } from "./page.ts";
import { firstOf, onAnswers, onPages, pagesOf, type Rules } from "./rule.ts";

/** What must be true of the answers, whatever the page says. */

/** Ten seconds are the default time-out of a scrape. */
const TIMEOUT_MS = 10_000;
const MOST_SERIES = 10_000;
const SCHEMES = ["allow-utf-8", "underscores", "dots", "values"];

const typeOf = (answer: Answer): string => fieldOf(answer, "content-type") ?? "";
const written = (answer: Answer): string => {
  const type = fieldOf(answer, "content-type");
  return type === undefined ? "there is no Content-Type" : `Content-Type is "${type}"`;
};
/** The media type and the parameters of Content-Type, in lower case. */
function mediaOf(answer: Answer): { readonly type: string; readonly parameters: ReadonlyMap<string, string> } {
  const [type = "", ...rest] = typeOf(answer)
    .split(";")
    .map((part) => part.trim());
  const parameters = rest.map(
    (part) => [part.split("=")[0]!.toLowerCase(), part.slice(part.indexOf("=") + 1).replaceAll('"', "")] as const,
  );
  return { type: type.toLowerCase(), parameters: new Map(parameters) };
}
const MEDIA: Readonly<Record<string, string>> = {
  text: "text/plain",
  openmetrics: "application/openmetrics-text",
  protobuf: "application/vnd.google.protobuf",
};
const codingOf = (answer: Answer): string => (fieldOf(answer, "content-encoding") ?? "identity").toLowerCase();

export const HTTP_RULES: Rules = {
  status: onAnswers(({ status }, words) => (words.includes(String(status)) ? undefined : `the status is ${status}`)),
  /** Content-Type names one of these formats. */
  format: onAnswers((answer, words) => {
    const { type } = mediaOf(answer);
    return answer.status === 200 && words.some((one) => MEDIA[one] === type) ? undefined : `${answer.status}, and ${written(answer)}`;
  }),
  /** A parameter of Content-Type with one of these values; `values` empty: with any. */
  parameter: onAnswers((answer, [name = "", ...values]) => {
    const value = mediaOf(answer).parameters.get(name);
    return value !== undefined && (values.length === 0 || values.includes(value)) ? undefined : written(answer);
  }),
  charset: onAnswers((answer) => {
    const charset = mediaOf(answer).parameters.get("charset");
    return charset === undefined || /^utf-?8$/i.test(charset) ? undefined : written(answer);
  }),
  "known-scheme": onAnswers((answer) => {
    const scheme = mediaOf(answer).parameters.get("escaping");
    return scheme === undefined || SCHEMES.includes(scheme) ? undefined : written(answer);
  }),
  /** A page of version 1.0.0 names a scheme that is known. */
  "names-scheme": onAnswers((answer) => {
    const { parameters } = mediaOf(answer);
    return parameters.get("version") !== "1.0.0" || SCHEMES.includes(parameters.get("escaping") ?? "") ? undefined : written(answer);
  }),
  "no-scheme": onAnswers((answer) => (mediaOf(answer).parameters.has("escaping") ? written(answer) : undefined)),
  /** The content has no coding. */
  plain: onAnswers((answer) =>
    codingOf(answer) === "identity" ? undefined : `Content-Encoding is ${codingOf(answer)} after "${answer.request}"`,
  ),
  gzip: onAnswers((answer) => (codingOf(answer) === "gzip" ? undefined : `Content-Encoding is ${codingOf(answer)}`)),
  decodes: onAnswers((answer) =>
    answer.body === undefined ? `the content is not what Content-Encoding says: ${codingOf(answer)}` : undefined,
  ),
  whole: onAnswers((answer) => (answer.isWhole ? undefined : `${answer.extra} octets follow the response`)),
  /** HEAD: the fields that GET has. */
  "same-fields": (asked) => {
    const [head, get] = asked.map(({ answers }) => answers[0]);
    if (head === undefined || get === undefined || head.problem !== "" || get.problem !== "") return "there is no answer";
    if (head.status !== get.status) return `HEAD is answered with ${head.status}, GET with ${get.status}`;
    return typeOf(head) === typeOf(get) ? undefined : `HEAD: ${written(head)}; GET: ${written(get)}`;
  },
  "no-content": onAnswers(({ extra }) => (extra === 0 ? undefined : `${extra} octets follow the head`)),
  "no-cookies": onAnswers((answer) =>
    fieldOf(answer, "set-cookie") === undefined ? undefined : `Set-Cookie: ${fieldOf(answer, "set-cookie")}`,
  ),
  "no-redirect": onAnswers((answer) =>
    answer.status >= 300 && answer.status < 400
      ? `the answer to "${answer.request}" is ${answer.status} to ${fieldOf(answer, "location") ?? "nowhere"}`
      : undefined,
  ),
  "in-time": onAnswers(({ asked, answered }) =>
    answered - asked <= TIMEOUT_MS ? undefined : `the answer took ${answered - asked} ms, a scrape has ${TIMEOUT_MS} by default`,
  ),
  bounded: onPages(({ samples }) => (samples.length <= MOST_SERIES ? undefined : `the page has ${samples.length} samples`)),
  /** All pages of all steps have the same families. `by-stem`: counters and infos without their suffixes, histograms without those of samples. */
  "same-families": (asked) => {
    let first: ReadonlySet<string> | undefined;
    return firstOf(asked, (one) => {
      const pages = pagesOf(one);
      if (typeof pages === "string") return `"${one.answers[0]?.request ?? ""}": ${pages}`;
      return firstOf(pages, ({ families }) => {
        // Only some formats have gaugehistograms.
        const shown = families.filter(({ type, samples }) => samples.length > 0 && type !== "gaugehistogram");
        const names = new Set(shown.map(({ name }) => name.replace(/_(?:total|info)$/, "")));
        first ??= names;
        const other = [...names.symmetricDifference(first)].filter((name) => !/_(?:created|gsum|gcount|bucket)$/.test(name));
        // A family may appear between two scrapes.
        return other.length <= names.size / 20 ? undefined : `${other.length} families are only on one of the pages: ${other[0]}`;
      });
    });
  },
  /** The content is in the format that Content-Type names. */
  "is-what-it-says": onAnswers((answer) => {
    const is = formatOf(answer);
    const text = Buffer.from(answer.body ?? []).toString();
    if (is === "openmetrics" || !/^# EOF$/m.test(text)) return undefined;
    return `${written(answer)}, but the page ends with # EOF`;
  }),
};
