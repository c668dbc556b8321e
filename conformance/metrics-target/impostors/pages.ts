/** Lines that break one rule each, by what they are about. Every one is wrong in its own family, so that no rule hides another. */

/** Before the end of OpenMetrics, or at the end of a text page. */
export const plus = (body: Buffer, ...lines: readonly string[]): Buffer => {
  const text = body.toString("latin1");
  const end = text.endsWith("# EOF\n") ? text.length - "# EOF\n".length : text.length;
  return Buffer.from(`${text.slice(0, end)}${lines.map((line) => `${line}\n`).join("")}${text.slice(end)}`, "latin1");
};

const SYNTAX = ['bad{a="\xff"} 1', "1bad 1", 'bad{0="x"} 1', "bad{a=x} 1", 'bad{a="1",a="2"} 1', "bad many", "bad 1 soon", "# TYPE bad"];
export const TEXT_SYNTAX = [...SYNTAX, "# TYPE bad what", 'bad{a="\\z"} 1', "bad 1 1 1"];
export const OM_SYNTAX = [
  ...SYNTAX,
  "# TYPE bad what",
  "# a comment",
  "",
  "bad  1",
  '# HELP bad A "quote".',
  'bad{a="1",} 1',
  "bad_total 1 # none",
  "bad 1\r",
];

/** A family with a help text, so that only what follows is wrong. */
const family = (name: string, type: string, ...lines: readonly string[]): string[] => [
  `# TYPE ${name} ${type}`,
  `# HELP ${name} Wrong.`,
  ...lines,
];
type Parts = { readonly count?: string; readonly sum?: string; readonly type?: string };
const histogram = (name: string, buckets: readonly (readonly [le: string, count: string])[], parts: Parts = {}): string[] => {
  const { count = "4", sum = "9", type = "histogram" } = parts;
  const g = type === "histogram" ? "" : "g";
  return family(
    name,
    type,
    ...buckets.map(([le, value]) => `${name}_bucket{le="${le}"} ${value}`),
    ...(count === "" ? [] : [`${name}_${g}count ${count}`]),
    ...(sum === "" ? [] : [`${name}_${g}sum ${sum}`]),
  );
};

export const TEXT_METADATA = [
  "# HELP twice A.",
  "# HELP twice B.",
  "# TYPE twice gauge",
  "# TYPE twice gauge",
  "twice 1",
  "late 1",
  "# TYPE late gauge",
  "# HELP late A.",
  "bare 1",
];
export const TEXT_GROUPING = [
  ...family("torn", "gauge", 'torn{a="1"} 1'),
  ...family("between", "gauge", "between 1", "between 1"),
  'torn{a="2"} 1',
  ...family("odd_labels", "gauge", 'odd_labels{__a="1"} 1', 'odd_labels{a=""} 1'),
  ...family("timed", "gauge", "timed 1 99999999999999"),
];
export const TEXT_TYPES = [
  ...family("below_total", "counter", "below_total -1"),
  ...histogram("open", [["1", "4"]]),
  ...histogram(
    "miscounted",
    [
      ["1", "3"],
      ["+Inf", "4"],
    ],
    { count: "5" },
  ),
  ...histogram("unsorted", [
    ["2", "3"],
    ["1", "2"],
    ["+Inf", "4"],
  ]),
  ...histogram("unbound", [
    ["wide", "3"],
    ["+Inf", "4"],
  ]),
  ...histogram("countless", [["+Inf", "4"]], { count: "", sum: "1" }),
  ...histogram("sumless", [["+Inf", "4"]], { sum: "" }),
  ...histogram("uneven", [
    ["1", "5"],
    ["+Inf", "4"],
  ]),
  ...histogram("doubled", [
    ["1", "1"],
    ["1.0", "1"],
    ["+Inf", "4"],
  ]),
  ...histogram("below", [
    ["1", "-1"],
    ["+Inf", "4"],
  ]),
  ...family("suffixless", "histogram", "suffixless 1"),
  ...family("wait", "summary", 'wait{quantile="0.9"} 1', 'wait{quantile="0.5"} 1', 'wait{quantile="7"} 1', 'wait{quantile="some"} 1'),
];
export const TEXT_NAMING = [
  ...family("camelCase", "gauge", "camelCase 1"),
  ...family("odd_label", "gauge", 'odd_label{camelCase="1"} 1'),
  ...family("requests", "counter", "requests 1"),
  ...family("sessions_total", "gauge", "sessions_total 1"),
  ...family("pause_milliseconds", "gauge", "pause_milliseconds 1"),
  ...family("job:rate", "gauge", "job:rate 1"),
];

export const OM_METADATA = [
  "# TYPE twice gauge",
  "# TYPE twice gauge",
  "# HELP twice A.",
  "# HELP twice B.",
  "twice 1",
  "# TYPE two_units gauge",
  "# UNIT two_units units",
  "# UNIT two_units units",
  "two_units 1",
  "late 1",
  "# TYPE late gauge",
  "# TYPE length gauge",
  "# UNIT length meters",
  "# HELP length A.",
  "length 1",
  "# HELP turned A.",
  "# TYPE turned gauge",
  "turned 1",
  ...family("size_bytes", "gauge", "size_bytes 1"),
  "# TYPE tag_bytes info",
  "# UNIT tag_bytes bytes",
  "tag_bytes_info 1",
  "# TYPE mode_bytes stateset",
  "# UNIT mode_bytes bytes",
  'mode_bytes{mode_bytes="a"} 1',
];
export const OM_GROUPING = [
  ...family("torn", "gauge", 'torn{a="1"} 1'),
  ...family("between", "gauge", "between 1", "between 1"),
  'torn{a="2"} 1',
  ...family("mixed", "summary", 'mixed_count{a="1"} 1', 'mixed_count{a="2"} 1', 'mixed_sum{a="1"} 1', 'mixed_sum{a="2"} 1'),
  ...family("backwards", "gauge", "backwards 1 200", "backwards 1 100"),
  ...family("taken", "counter", "taken_total 1"),
  ...family("taken_created", "gauge", "taken_created 1"),
  ...family("odd_labels", "gauge", 'odd_labels{_a="1"} 1', 'odd_labels{b=""} 1'),
  ...family("_hidden", "gauge", "_hidden 1"),
  ...family("camelCase", "gauge", "camelCase 1"),
  ...family("job:rate", "gauge", "job:rate 1"),
  ...family("events_count", "gauge", "events_count 1"),
  ...family("pause_milliseconds", "gauge", "pause_milliseconds 1"),
  "bare 1",
];

const histograms = (type: string): string[] => [
  ...histogram(`open_${type}`, [["1.0", "4"]], { type }),
  ...histogram(
    `miscounted_${type}`,
    [
      ["1.0", "3"],
      ["+Inf", "4"],
    ],
    { count: "5", type },
  ),
  ...histogram(
    `unsorted_${type}`,
    [
      ["2.0", "3"],
      ["1.0", "2"],
      ["+Inf", "4"],
    ],
    { type },
  ),
  ...histogram(
    `unbound_${type}`,
    [
      ["wide", "3"],
      ["+Inf", "4"],
    ],
    { type },
  ),
  ...histogram(
    `uneven_${type}`,
    [
      ["1.0", "5"],
      ["+Inf", "4"],
    ],
    { type },
  ),
  ...histogram(
    `doubled_${type}`,
    [
      ["1.0", "1"],
      ["1", "1"],
      ["+Inf", "4"],
    ],
    { type },
  ),
  ...histogram(
    `below_${type}`,
    [
      ["1.0", "-1"],
      ["+Inf", "4"],
    ],
    { type },
  ),
  ...histogram(
    `broken_${type}`,
    [
      ["1.0", "0.5"],
      ["+Inf", "4"],
    ],
    { type },
  ),
  ...histogram(`sumless_${type}`, [["+Inf", "4"]], { sum: "", type }),
  ...histogram(`sum_${type}`, [["+Inf", "4"]], { sum: "NaN", type }),
  ...histogram(`infinite_${type}`, [["Inf", "4"]], { type }),
  ...family(`suffixless_${type}`, type, `suffixless_${type} 1`),
];
const LONG = "x".repeat(130);
export const OM_TYPES = [
  ...family("suffixless", "counter", "suffixless 1"),
  ...family("totalless", "counter", "totalless_created 1"),
  ...family("negative", "counter", "negative_total -1"),
  ...family("bare_info", "info", "bare_info 1"),
  ...family("high", "info", "high_info 2"),
  ...family("stateless", "stateset", "stateless 1"),
  ...family("high_state", "stateset", 'high_state{high_state="a"} 2'),
  ...histograms("histogram"),
  ...histograms("gaugehistogram"),
  ...histogram("signed", [
    ["-1.0", "1"],
    ["+Inf", "4"],
  ]),
  ...family("misquoted", "summary", "misquoted 1"),
  ...family(
    "wait",
    "summary",
    'wait{quantile="0.5"} -1',
    'wait{quantile="7.0"} 1',
    'wait{quantile="0.90"} 1',
    "wait_count 0.5",
    "wait_sum NaN",
  ),
  ...family("unborn", "counter", "unborn_total 1", "unborn_created 99999999999"),
  ...family("long", "counter", `long_total 1 # {a="${LONG}"} 1`),
  ...family("misplaced", "gauge", "misplaced 1 # {} 1"),
  ...family("above", "histogram", 'above_bucket{le="1.0"} 1 # {} 2', 'above_bucket{le="+Inf"} 1'),
];

/** What changes from one scrape to the next, although it should not. */
export function unstable(scrape: number, isOpenMetrics: boolean): string[] {
  const isOdd = scrape % 2 === 1;
  const other = isOdd ? "a" : "b";
  const [total, time] = isOpenMetrics ? ["_total", 1_000] : ["", 1_000_000];
  return [
    ...family("falling", "counter", `falling${total} ${1_000 - scrape}`),
    ...(isOpenMetrics ? family("reset", "counter", `reset_total ${1_000 - scrape}`, "reset_created 1000") : []),
    ...(isOpenMetrics ? family("reborn", "counter", `reborn_total ${scrape}`, `reborn_created ${scrape}`) : []),
    ...histogram(
      "sinking",
      [
        ["1.0", "1"],
        ["+Inf", String(1_000 - scrape)],
      ],
      { count: String(1_000 - scrape) },
    ),
    ...family("ebbing", "summary", `ebbing_count ${1_000 - scrape}`, `ebbing_sum ${1_000 - scrape}`),
    ...family("turning", "gauge", isOdd ? 'turning{a="1",b="2"} 1' : 'turning{b="2",a="1"} 1'),
    ...family("passing", "gauge", `passing{a="${other}"} 1`),
    ...(isOdd ? family("coming", "gauge", "coming 1") : []),
    ...family("changing", isOdd ? "gauge" : "counter", isOdd ? "changing 1" : `changing${total} 1`),
    ...family("relabelled", "gauge", `relabelled{${other}="1"} 1`),
    "# TYPE talking gauge",
    `# HELP talking ${other}.`,
    "talking 1",
    ...(isOpenMetrics
      ? ["# TYPE measured_a gauge", ...(isOdd ? ["# UNIT measured_a a"] : []), "# HELP measured_a A.", "measured_a 1"]
      : []),
    ...histogram("widening", [
      [isOdd ? "1.0" : "2.0", "1"],
      ["+Inf", "4"],
    ]),
    ...(isOpenMetrics ? family("version", "info", `version_info{v="${other}"} 1`) : []),
    ...family("clock", "gauge", `clock 1 ${time - scrape}`),
  ];
}

export const growing = (scrape: number): string[] =>
  family("growing", "gauge", ...Array.from({ length: 5 * scrape ** 2 }, (_, n) => `growing{n="${n}"} 1`));
