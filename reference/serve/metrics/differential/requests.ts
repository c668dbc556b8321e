import words from "./words.json" with { type: "json" };

/** A request, written to the wire as it stands. */
export type ApiRequest = {
  readonly method: string;
  /** Without the leading slash. */
  readonly path: string;
  readonly body?: string;
  readonly type?: string;
};

/** The data covers one hour, in seconds since 1970. */
const BEGIN = 1_760_000_400;
const END = BEGIN + 3_600;
/** Not the time of a sample: versions differ on whether a window includes a sample at its edge. */
const MIDDLE = BEGIN + 1_801;

/** Gauges, counters and a classic histogram with a sample every 15 s; one series ends early. */
export function page(): string {
  const times = Array.from({ length: 241 }, (_, step) => BEGIN + step * 15);
  const lines = (name: string, labels: string, value: (step: number) => number, until = 241): string =>
    times
      .slice(0, until)
      .map((time, step) => `${name}{${labels}} ${value(step)} ${time}\n`)
      .join("");
  return [
    "# TYPE up gauge\n",
    ...["a", "b", "c"].map((job, at) => lines("up", `job="${job}",instance="${job}:9090"`, (step) => ((step >> at) & 1) ^ 1)),
    lines("up", 'job="short",instance="ü/ \\"\\\\\\n"', () => 1, 20),
    "# TYPE load gauge\n",
    lines("load", 'job="a"', (step) => Math.sin(step) * 1e-9),
    lines("load", 'job="b"', (step) => step * 1e20),
    "# TYPE requests counter\n",
    ...["200", "404", "500"].map((code, at) => lines("requests_total", `job="a",code="${code}"`, (step) => (step % 50) * (at + 1.5))),
    "# TYPE size histogram\n",
    ...["0.1", "1", "+Inf"].map((le, at) => lines("size_bucket", `le="${le}"`, (step) => step * (at + 1))),
    lines("size_count", "", (step) => step * 3),
    lines("size_sum", "", (step) => step * 1.25),
    "# EOF\n",
  ].join("");
}

const encoded = encodeURIComponent;
const get = (path: string): ApiRequest => ({ method: "GET", path });
const FORM = "application/x-www-form-urlencoded";
const post = (path: string, body: string, type = FORM): ApiRequest => ({ method: "POST", path, body, type });
const api = (path: string): string => `api/v1/${path}`;
const AT = `time=${MIDDLE}`;
const RANGE = `start=${BEGIN + 1}&end=${END}&step=60`;
const WINDOW = `start=${BEGIN}&end=${END}`;

const times = words.times
  .flatMap((text) => [
    get(api(`query?query=time()&time=${encoded(text)}`)),
    get(api(`query_range?query=time()&start=${encoded(text)}&end=${encoded(text)}&step=15`)),
    get(api(`series?match[]=up&start=${encoded(text)}&end=${END}`)),
    get(api(`labels?start=${BEGIN}&end=${encoded(text)}`)),
    get(api(`label/job/values?start=${encoded(text)}`)),
  ])
  .filter(({ path }) => !/time=(?:&|$)/.test(path));
/** A millisecond, or less, is enough for a query on an idle machine only. */
const isTooShort = (timeout: string): boolean => ["1ms", "0.001", "0.0004"].includes(timeout);
const durations = words.durations.flatMap((text) => [
  get(api(`query_range?query=vector(1)&start=${BEGIN}&end=${BEGIN + 60}&step=${encoded(text)}`)),
  ...(isTooShort(text) ? [] : [get(api(`query?query=up&${AT}&timeout=${encoded(text)}`))]),
  get(api(`query?query=up&time=${END + 200}&lookback_delta=${encoded(text)}`)),
]);
const selectors = words.selectors.flatMap((text) => [
  get(api(`series?match[]=${encoded(text)}&${WINDOW}`)),
  post(api("series"), `match[]=up&match[]=${encoded(text)}&${WINDOW}`),
  get(api(`labels?match[]=${encoded(text)}&${WINDOW}`)),
  get(api(`label/job/values?match[]=${encoded(text)}&${WINDOW}`)),
  get(api(`query?query=${encoded(text)}&${AT}`)),
]);
const expressions = words.expressions.flatMap((text) => [
  get(api(`query?query=${encoded(text)}&${AT}`)),
  post(api("query_range"), `query=${encoded(text)}&${RANGE}`),
  get(api(`format_query?query=${encoded(text)}`)),
]);
const limits = words.limits.flatMap((text) => [
  get(api(`query?query=up&${AT}&limit=${encoded(text)}`)),
  get(api(`series?match[]=up&${WINDOW}&limit=${encoded(text)}`)),
  get(api(`labels?${WINDOW}&limit=${encoded(text)}`)),
  get(api(`metadata?limit=${encoded(text)}`)),
  get(api(`metadata?limit_per_metric=${encoded(text)}`)),
  get(api(`status/tsdb?limit=${encoded(text)}`)),
]);
const labels = words.labels.map((name) => get(api(`label/${/[^!-~]/.test(name) ? encoded(name) : name}/values?${WINDOW}`)));

const methods = words.paths.flatMap((path) =>
  ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "FOO"]
    .filter((method) => !(path.startsWith("admin") && ["POST", "PUT"].includes(method)))
    .map((method): ApiRequest => ({ method, path: api(path) })),
);
const others = [
  ...words.paths.map((path) => get(api(`${path}/`))),
  ...[
    "",
    "nothing",
    "query/x",
    "/query",
    "label",
    "label/",
    "label/job",
    "label/job/values/x",
    "QUERY",
    "status",
    "status/x",
    "../v1/labels",
    "query%3Fquery=1",
    "%71uery?query=1",
  ].map((path) => get(api(path))),
  ...["-/healthy", "-/ready", "-/nothing", "-/healthy/", "-/ready?x=1", "nothing", "api", "api/v2/query"].map(get),
  ...["HEAD", "POST", "PUT", "OPTIONS"].flatMap((method) => ["-/healthy", "-/ready"].map((path): ApiRequest => ({ method, path }))),
  // Parameters repeated, in target and form, or in neither.
  get(api(`query?query=1&query=2&${AT}`)),
  get(api(`query?query=up&${AT}&time=0`)),
  post(api(`query?query=1&${AT}`), "query=2"),
  post(api("query?query=1&time=1"), AT),
  post(api(`query?${AT}`), "query=up"),
  post(api(`query?query=1&${AT}`), ""),
  post(api("query"), `query=1+%2B+1&${AT}`),
  post(api("query"), `query=1+1&${AT}`),
  post(api("query"), `query=%zz&${AT}`),
  post(api("query"), `query=1;${AT}`),
  post(api("query"), `query=1&a;b&${AT}`),
  get(api(`query?query=1;${AT}`)),
  get(api(`query?query=%zz&${AT}`)),
  get(api(`query?query=%&${AT}`)),
  get(api(`query?query=%ff&${AT}`)),
  get(api(`query?query=up{job="a"}&${AT}`)),
  get(api(`query?query=1%2B1&${AT}`)),
  get(api(`query?query=1+1&${AT}`)),
  get(api(`query?query=%22%ff%22&${AT}`)),
  get(api(`query?&&query=1&&${AT}&`)),
  get(api(`query?QUERY=1&${AT}`)),
  get(api(`query?query&${AT}`)),
  get(api(`query?query=1&${AT}#fragment`)),
  get(api(`query?query=1?x&${AT}`)),
  post(api("query"), `query=1&${AT}`, "text/plain"),
  post(api("query"), `query=1&${AT}`, "application/json"),
  post(api("query"), `query=1&${AT}`, ""),
  post(api("query"), `query=1&${AT}`, `${FORM}; charset=utf-8`),
  post(api("query"), `query=1&${AT}`, FORM.toUpperCase()),
  post(api("query"), `query=1&${AT}`, "application/x-www-form-urlencoded;"),
  post(api("query"), `query=1&${AT}`, "x"),
  post(api("query"), `query=1&${AT}`, "multipart/form-data"),
  post(api("query"), `--b\r\ncontent-disposition: form-data; name="query"\r\n\r\n1\r\n--b--\r\n`, "multipart/form-data; boundary=b"),
  { method: "GET", path: api(`query?query=1&${AT}`), body: "query=2", type: FORM },
  { method: "GET", path: api("series"), body: "match[]=up", type: FORM },
  { method: "POST", path: api(`admin/tsdb/delete_series`), body: "match[]=nothing", type: FORM },
  { method: "PUT", path: api(`admin/tsdb/delete_series`), body: "match[]=nothing", type: FORM },
  { method: "POST", path: api("admin/tsdb/delete_series?match[]=nothing") },
  { method: "PUT", path: api("admin/tsdb/delete_series?match[]=nothing&start=x") },
  { method: "PUT", path: api("admin/tsdb/delete_series?match[]=nothing&start=2&end=1") },
  { method: "POST", path: api("admin/tsdb/delete_series") },
  { method: "POST", path: api("admin/tsdb/delete_series?match[]={}") },
  { method: "POST", path: api("admin/tsdb/delete_series?match[]=up{") },
  { method: "POST", path: api("admin/tsdb/snapshot?skip_head=maybe") },
  { method: "POST", path: api("admin/tsdb/snapshot?skip_head=2") },
  { method: "POST", path: api("admin/tsdb/snapshot?skip_head=yes") },
  { method: "GET", path: api("admin/tsdb/delete_series?match[]=up") },
  // Long queries, flat and nested.
  post(api("query"), `${AT}&query=${"1%2B".repeat(5_000)}1`),
  post(api("query"), `${AT}&query=${"(".repeat(500)}1${")".repeat(500)}`),
  post(api("query"), `${AT}&query=${"-".repeat(1_000)}1`),
  get(api(`query?${AT}&query=${encoded(`up{job=~"${"x|".repeat(1_000)}a"}`)}`)),
  // The number of steps in a range.
  get(api("query_range?query=1&start=0&end=11000&step=1")),
  get(api("query_range?query=1&start=0&end=10999&step=1")),
  get(api("query_range?query=1&start=0&end=11001&step=1")),
  get(api("query_range?query=1&start=0&end=1100000000000&step=1")),
  get(api("query_range?query=1&start=2&end=1&step=1")),
  get(api("query_range?query=1&start=1&end=1&step=1")),
  get(api("query_range?query=1&start=1&end=2")),
  get(api("query_range?query=1&end=2&step=1")),
  get(api("query_range?query=1&start=1&step=1")),
  get(api("query_range?start=1&end=2&step=1")),
  get(api(`query_range?query=up&start=${BEGIN - 3_600}&end=${END + 3_600}&step=7.25`)),
  get(api("query_range?query=time()&start=0.0004&end=1&step=0.3333")),
  get(api(`series?match[]=up&start=2&end=1`)),
  get(api(`labels?start=2&end=1`)),
  get(api(`label/job/values?start=2&end=1`)),
  get(api(`series?match[]=up&start=${BEGIN - 9_000_000}&end=${BEGIN - 8_000_000}`)),
  get(api(`labels?start=${BEGIN - 9_000_000}&end=${BEGIN - 8_000_000}`)),
  get(api("series")),
  get(api("series?match=up")),
  get(api("series?match%5B%5D=up")),
  get(api("series?match[]")),
  get(api(`series?match[]=up&match[]=up&match[]=load&${WINDOW}`)),
  get(api("labels?match[]=nothing")),
  get(api("metadata?metric=nothing")),
  get(api(`query?query=up&${AT}&stats=x`)),
  get(api(`query?query=up&${AT}&stats=true`)),
  get(api(`query?query=up&${AT}&stats=all`)),
  get(api(`query?query=up&${AT}&stats=`)),
];

/** More than a thousand requests: valid, unusual and invalid. */
export const REQUESTS: readonly ApiRequest[] = [
  ...times,
  ...durations,
  ...selectors,
  ...expressions,
  ...limits,
  ...labels,
  ...methods,
  ...others,
];
