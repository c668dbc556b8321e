/** Functions that every template of the language has. */
const BUILTIN = [
  "and",
  "or",
  "not",
  "len",
  "index",
  "slice",
  "print",
  "printf",
  "println",
  "html",
  "js",
  "urlquery",
  "eq",
  "ne",
  "lt",
  "le",
  "gt",
  "ge",
] as const;
/** Functions of the templates of alerts (Prometheus docs, configuration/template_reference.md, "Functions"). */
export const PUBLISHED = [
  "query",
  "first",
  "label",
  "value",
  "strvalue",
  "sortByLabel",
  "humanize",
  "humanize1024",
  "humanizeDuration",
  "humanizePercentage",
  "humanizeTimestamp",
  "toTime",
  "toDuration",
  "now",
  "title",
  "toUpper",
  "toLower",
  "stripPort",
  "stripDomain",
  "match",
  "reReplaceAll",
  "graphLink",
  "tableLink",
  "parseDuration",
  "urlQueryEscape",
  "args",
  "safeHtml",
  "externalURL",
  "pathPrefix",
] as const;

/** Functions of the templates of notifications that those of alerts lack (Alertmanager docs, notifications.md, "Functions"). */
const NOTIFYING = [
  "append",
  "base64decode",
  "base64encode",
  "date",
  "dict",
  "join",
  "list",
  "safeUrl",
  "since",
  "stringSlice",
  "toJson",
  "trimSpace",
  "tz",
  "urlUnescape",
] as const;

export type NotifyingName = (typeof NOTIFYING)[number];
export type FunctionName = (typeof BUILTIN)[number] | (typeof PUBLISHED)[number] | NotifyingName;
/** The functions that a template may call. */
export type FunctionNames = ReadonlySet<string>;
export const ALERT_FUNCTIONS: FunctionNames = new Set([...BUILTIN, ...PUBLISHED]);
export const NOTIFICATION_FUNCTIONS: FunctionNames = new Set([
  ...BUILTIN,
  ...NOTIFYING,
  ...([
    "humanizeDuration",
    "match",
    "now",
    "reReplaceAll",
    "safeHtml",
    "title",
    "toLower",
    "toUpper",
  ] as const satisfies readonly FunctionName[]),
]);
