import { type Asked, fieldsOf, type JobRecord } from "./record.ts";

/** What must be true of the requests of a job. Each rule returns its first fault. */
type Rule = (record: JobRecord, words: readonly string[]) => string | undefined;

const each =
  (fault: (asked: Asked, words: readonly string[], record: JobRecord) => string | undefined): Rule =>
  (record, words) => {
    for (const one of record.asked) {
      const found = fault(one, words, record);
      if (found !== undefined) return found;
    }
    return undefined;
  };

type Media = { readonly type: string; readonly parameters: ReadonlyMap<string, string>; readonly quality: number };
/** The media types of Accept, in order. */
const accepted = (asked: Asked): Media[] =>
  fieldsOf(asked, "accept")
    .join(",")
    .split(",")
    .map((one) => {
      const [type = "", ...rest] = one.split(";").map((part) => part.trim());
      const parameters = new Map(
        rest.map((part) => [part.split("=")[0]!.toLowerCase(), part.slice(part.indexOf("=") + 1).replaceAll('"', "")]),
      );
      return { type: type.toLowerCase(), parameters, quality: Number(parameters.get("q") ?? "1") };
    })
    .filter(({ type }) => type !== "");

/** The protocols by their names in a configuration. */
const PROTOCOLS: Readonly<{ [name: string]: (media: Media) => boolean }> = {
  PrometheusProto: ({ type, parameters }) =>
    type === "application/vnd.google.protobuf" &&
    parameters.get("proto") === "io.prometheus.client.MetricFamily" &&
    parameters.get("encoding") === "delimited",
  "PrometheusText0.0.4": ({ type, parameters }) => type === "text/plain" && parameters.get("version") === "0.0.4",
  "PrometheusText1.0.0": ({ type, parameters }) => type === "text/plain" && parameters.get("version") === "1.0.0",
  "OpenMetricsText0.0.1": ({ type, parameters }) => type === "application/openmetrics-text" && parameters.get("version") === "0.0.1",
  "OpenMetricsText1.0.0": ({ type, parameters }) => type === "application/openmetrics-text" && parameters.get("version") === "1.0.0",
};
const protocolOf = (media: Media): string | undefined => Object.keys(PROTOCOLS).find((name) => PROTOCOLS[name]!(media));
/** The protocols that a request accepts, the preferred one first. */
const preferred = (asked: Asked): string[] =>
  accepted(asked)
    .toSorted((a, b) => b.quality - a.quality)
    .flatMap((one) => protocolOf(one) ?? []);
const isCatchAll = ({ type }: Media): boolean => type === "*/*";
const written = (asked: Asked, name: string): string => {
  const all = fieldsOf(asked, name);
  return all.length === 0 ? `there is no ${name}` : `${name} is ${JSON.stringify(all.join(", "))}`;
};
const SCHEMES = ["allow-utf-8", "underscores", "dots", "values"];

export const ASK_RULES: Readonly<{ [name: string]: Rule }> = {
  get: each(({ method }) => (method === "GET" ? undefined : `the method is ${method}`)),
  path: each(({ path, host }, [wanted]) => (host === "elsewhere" || path === wanted ? undefined : `the path is ${path}`)),
  parameters: each(({ path }, words) => {
    const sent = new URL(path, "http://h").searchParams;
    const missing = words.find((one) => !sent.getAll(one.split("=")[0]!).includes(one.slice(one.indexOf("=") + 1)));
    return missing === undefined ? undefined : `the path ${path} has no ${missing}`;
  }),
  /** Exactly these protocols, in this order. */
  prefers: each((one, words) => {
    const all = preferred(one);
    return all.join() === words.join() ? undefined : `it prefers ${all.join(", ") || "no known protocol"}: ${written(one, "accept")}`;
  }),
  "parameters-of-types": each((one) => {
    const wrong = accepted(one).find((media) => !isCatchAll(media) && protocolOf(media) === undefined);
    return wrong === undefined && accepted(one).length > 0 ? undefined : written(one, "accept");
  }),
  "quality-falls": each((one) => {
    const all = accepted(one).map(({ quality }) => quality);
    return all.every((quality, at) => at === 0 || quality < all[at - 1]!) ? undefined : written(one, "accept");
  }),
  "catch-all": each((one) => {
    const all = accepted(one);
    const least = Math.min(...all.map(({ quality }) => quality));
    return all.some((media) => isCatchAll(media) && media.quality === least) ? undefined : written(one, "accept");
  }),
  /** Each type of version 1.0.0 names this scheme, or any that is known. */
  escaping: each((one, [scheme]) => {
    const newer = accepted(one).filter(({ parameters }) => parameters.get("version") === "1.0.0");
    const isRight = (named: string | undefined): boolean =>
      named !== undefined && (scheme === undefined ? SCHEMES.includes(named) : named === scheme);
    return newer.length > 0 && newer.every(({ parameters }) => isRight(parameters.get("escaping"))) ? undefined : written(one, "accept");
  }),
  "known-scheme": each((one) => {
    const named = accepted(one).flatMap(({ parameters }) => parameters.get("escaping") ?? []);
    return named.every((scheme) => SCHEMES.includes(scheme)) ? undefined : written(one, "accept");
  }),
  coding: each((one, [wanted]) =>
    fieldsOf(one, "accept-encoding").join().toLowerCase() === wanted ? undefined : written(one, "accept-encoding"),
  ),
  "no-gzip": each((one) => (/gzip|\*/.test(fieldsOf(one, "accept-encoding").join()) ? written(one, "accept-encoding") : undefined)),
  /** Every request to the target has the field with this value. */
  field: each((one, [name = "", wanted]) =>
    one.host === "elsewhere" || fieldsOf(one, name).join() === wanted ? undefined : written(one, name),
  ),
  /** No request to another host has the field; at least one arrived there. */
  "keeps-to-itself": ({ asked }, [name = ""]) => {
    const there = asked.filter(({ host }) => host === "elsewhere");
    if (there.length === 0) return "it did not follow to the other host";
    return there.some((one) => fieldsOf(one, name).length > 0) ? `the other host gets ${name}` : undefined;
  },
  follows: ({ asked }, [path = ""]) => (asked.some((one) => one.path === path) ? undefined : `${path} was not asked for`),
  "never-follows": ({ asked }, [path = ""]) => (asked.some((one) => one.path === path) ? `${path} was asked for` : undefined),
  /** Between two scrapes there are at most so many requests. */
  "follows-at-most": ({ asked }, [first = "", most = "0"]) => {
    let run = 0;
    for (const { path } of asked) {
      run = path === first ? 0 : run + 1;
      if (run > Number(most)) return `it follows more than ${most} redirects in a circle`;
    }
    return undefined;
  },
  /** The name of the host in every request. */
  "only-host": each((one, [wanted = ""], { target }) => {
    const host = fieldsOf(one, "host").join();
    return host === wanted.replaceAll("{target}", target) ? undefined : `the target ${host} was asked`;
  }),
};
