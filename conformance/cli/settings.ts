/**
 * The settings of a subject in a configuration file: the one source of its type, its JSON schema and the flags that it becomes. A setting is a flag
 * of `touchstone check` in camel case. `texts` may be one text or several.
 */
export const SETTINGS = {
  url: "text",
  server: "text",
  client: "text",
  proxy: "text",
  origin: "text",
  proxyHttp2: "text",
  codec: "text",
  only: "texts",
  level: "texts",
  group: "text",
  abuse: "flag",
  iOperateThisTarget: "flag",
  shard: "text",
  seed: "number",
  repeat: "number",
  failFast: "flag",
  concurrency: "number",
  timeout: "number",
  baseline: "text",
  flaky: "text",
  sameAs: "text",
  offers: "texts",
  strict: "flag",
  tls: "flag",
  wait: "time",
  start: "text",
  header: "texts",
  auth: "text",
  connectTo: "text",
  unixSocket: "text",
  sni: "text",
  verify: "flag",
  ca: "text",
  cert: "text",
  key: "text",
  expectStatus: "number",
  post: "text",
  echo: "text",
  pid: "number",
  name: "text",
} as const satisfies Readonly<Record<string, Kind>>;

/** The reports of all subjects together. */
export const REPORTS = {
  save: "text",
  junit: "text",
  html: "text",
  markdown: "text",
  tap: "text",
  sarif: "text",
  pcap: "text",
  github: "flag",
} as const satisfies Readonly<Record<string, Kind>>;

/** `time`: a number with a unit, such as 500ms, 30s or 2m. */
export type Kind = "text" | "texts" | "flag" | "number" | "time";
type ValueOf = {
  readonly text: string;
  readonly texts: string | readonly string[];
  readonly flag: boolean;
  readonly number: number;
  readonly time: `${number}${"ms" | "s" | "m"}`;
};
type Values<Table extends Readonly<Record<string, Kind>>> = { readonly [Name in keyof Table]?: ValueOf[Table[Name]] };

/** What is judged, by which suites, and how it is reached. Paths are relative to the working directory. */
export type SubjectConfig = Values<typeof SETTINGS> & {
  /** One run for each. */
  readonly suite: string | readonly string[];
  /** The flags that only these suites have, such as `{ dialect: "grpc" }`. */
  readonly options?: Readonly<Record<string, string | number>>;
};

/** A configuration file. */
export type Config = {
  /** The subjects by their names, which reports use if a subject has no `name`. */
  readonly subjects: Readonly<Record<string, SubjectConfig>>;
  /** Settings of every subject that does not have its own. */
  readonly defaults?: Values<Omit<typeof SETTINGS, "url">>;
  readonly reports?: Values<typeof REPORTS>;
};
