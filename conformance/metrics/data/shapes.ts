/** The series of the data set that each show one thing: a shape, a gap, a value, a spelling. */

/** A value, a staleness marker, or no sample. */
export type Told = number | "stale" | undefined;
/** Sample number `at`, `time` seconds after the start of the data set. */
export type Grown = (at: number, time: number) => Told;
/** Samples every `every` seconds, the first one `from` seconds after the start. */
export type Row = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly every: number;
  readonly from: number;
  readonly samples: readonly Told[];
};

/** A series with one sample per minute by default, from 5.5 seconds after the start to the end of the two hours. */
type Pace = { readonly every: number; readonly from: number };
const EACH_MINUTE: Pace = { every: 60, from: 5.5 };

const row = (name: string, labels: Readonly<Record<string, string>>, grown: Grown, { every, from } = EACH_MINUTE): Row => {
  const count = Math.floor((7_160 - from) / every) + 1;
  return { name, labels, every, from, samples: Array.from({ length: count }, (_, at) => grown(at, from + at * every)) };
};
const constant =
  (value: number): Grown =>
  () =>
    value;
const unless =
  (isGap: (at: number) => boolean, grown: Grown): Grown =>
  (at, time) =>
    isGap(at) ? undefined : grown(at, time);

export const shapes = (): Row[] => [
  ...values(),
  ...gaps(),
  ...counters(),
  ...gauges(),
  ...histograms(),
  ...spellings(),
  ...matches(),
  ...moments(),
];

/** Numbers that are easily formatted wrong. */
function values(): Row[] {
  const special: Readonly<Record<string, number>> = {
    nan: Number.NaN,
    inf: Number.POSITIVE_INFINITY,
    minus_inf: Number.NEGATIVE_INFINITY,
    zero: 0,
    minus_zero: -0,
    tiny: 5e-324,
    huge: 1.797_693_134_862_315_7e308,
    exact: 9_007_199_254_740_992,
    fraction: 0.1,
    minus: -2.5,
    billion: 1e21,
    small: 1e-7,
  };
  return Object.entries(special).map(([kind, value]) => row("special", { kind }, constant(value)));
}

/** Series with gaps. */
function gaps(): Row[] {
  const at =
    (value: number): Grown =>
    (place) =>
      value + place;
  return [
    row("gappy", { kind: "none" }, at(0)),
    row(
      "gappy",
      { kind: "short" },
      unless((place) => place > 30 && place < 34, at(0)),
    ),
    row(
      "gappy",
      { kind: "long" },
      unless((place) => place > 30 && place < 42, at(0)),
    ),
    row(
      "gappy",
      { kind: "early" },
      unless((place) => place > 30, at(0)),
    ),
    row(
      "gappy",
      { kind: "late" },
      unless((place) => place < 30, at(0)),
    ),
    row(
      "gappy",
      { kind: "once" },
      unless((place) => place !== 30, at(0)),
    ),
    row(
      "gappy",
      { kind: "twice" },
      unless((place) => place !== 30 && place !== 31, at(0)),
    ),
    row("marked", { kind: "kept" }, at(0)),
    row("marked", { kind: "ended" }, (place) => (place === 31 ? "stale" : place > 31 ? undefined : place)),
    row("marked", { kind: "returned" }, (place) => (place === 31 ? "stale" : place === 32 || place === 33 ? undefined : place)),
    row("marked", { kind: "blinking" }, (place) => (place % 2 === 1 ? "stale" : place)),
  ];
}

/** Counters, also near the ends of ranges. */
function counters(): Row[] {
  const sum = (grown: (at: number) => number): Grown => {
    let value = 0;
    return (at) => (value += grown(at));
  };
  const on = (kind: string, grown: Grown, from = 9.7): Row => row("corner_total", { kind }, grown, { every: 30, from });
  return [
    on("steady", (at) => at * 15),
    on("constant", constant(77)),
    on(
      "from_zero",
      unless(
        (at) => at < 20,
        (at) => (at - 20) * 9,
      ),
    ),
    on(
      "from_ten",
      unless(
        (at) => at < 20,
        (at) => 10 + (at - 20) * 9,
      ),
    ),
    on("to_zero", (at) => (at % 50) * 4),
    on("to_some", (at) => (at % 40) * 4 + 12),
    on("thrice", (at) => (at % 7) * 2.5),
    on("falling", (at) => 1_000 - at),
    on("huge", (at) => 1e18 + at * 1e9),
    on(
      "fraction",
      sum((at) => 0.1 + (at % 3) * 0.01),
    ),
    on(
      "once",
      unless(
        (at) => at !== 60,
        (at) => at,
      ),
    ),
    on(
      "two",
      unless(
        (at) => at < 60 || at > 61,
        (at) => at * 3,
      ),
    ),
    on(
      "sparse",
      unless(
        (at) => at % 9 !== 0,
        (at) => at * 2,
      ),
    ),
    on("nan", (at) => (at % 10 === 5 ? Number.NaN : at * 3)),
    on(
      "jumpy",
      unless(
        (at) => at % 5 === 1 || at % 7 === 3,
        (at) => at * at,
      ),
    ),
    row("aligned_total", { kind: "minute" }, (at) => at * 6, { every: 60, from: 0 }),
    row("aligned", { kind: "minute" }, (at) => (at % 9) * 3, { every: 60, from: 0 }),
  ];
}

/** Gauges for functions over time. */
function gauges(): Row[] {
  const round = (value: number): number => Math.round(value * 1_000) / 1_000;
  const rooms = ["hall", "kitchen", "attic", "cellar", "study", "porch"];
  return [
    row("ramp", { slope: "up" }, (at) => at * 2),
    row("ramp", { slope: "down" }, (at) => 500 - at * 3.5),
    row("ramp", { slope: "flat" }, constant(42)),
    row("ramp", { slope: "inf" }, (at) => (at === 60 ? Number.POSITIVE_INFINITY : at)),
    row("wave", { kind: "slow" }, (at) => round(100 * Math.sin(at / 12))),
    row("wave", { kind: "fast" }, (at) => ((at * 37) % 23) - 11),
    row("wave", { kind: "steps" }, (at) => Math.floor(at / 7)),
    row("wave", { kind: "nan" }, (at) => (at % 6 === 2 ? Number.NaN : at % 6)),
    row("wave", { kind: "large" }, (at) => 1e9 + (at % 4) * 0.25),
    row(
      "irregular",
      { kind: "ms" },
      unless(
        (at) => at % 3 === 1 || at % 11 === 4,
        (at) => ((at * 13) % 17) / 4,
      ),
      { every: 17.25, from: 1.125 },
    ),
    ...rooms.map((room, place) =>
      row(
        "temperature_celsius",
        { room, floor: String(Math.floor(place / 2)) },
        (at) => round(place * 4.5 - 6 + 3 * Math.sin((at + place * 9) / 8)),
        { every: 60, from: 4.25 + place },
      ),
    ),
    ...["item1", "item2", "item10", "item20", "Item3", "item"].map((item, place) =>
      row("score", { item, team: place % 2 === 0 ? "red" : "blue" }, constant([7, 3, 11, 5, 3.5, -2][place] ?? 0)),
    ),
    row("score", { item: "none", team: "blue" }, constant(Number.NaN)),
  ];
}

/** Malformed classic histograms, and a summary. */
function histograms(): Row[] {
  const odd = (kind: string, buckets: Readonly<Record<string, number>>): Row[] =>
    Object.entries(buckets).map(([le, each]) => row("odd_bucket", { kind, le }, (at) => each * (at + 1)));
  return [
    ...odd("plain", { "0.1": 1, "0.2": 2, "0.4": 4, "+Inf": 5 }),
    ...odd("no_inf", { "0.1": 1, "0.2": 2, "0.4": 4 }),
    ...odd("only_inf", { "+Inf": 5 }),
    ...odd("empty", { "0.1": 0, "0.2": 0, "+Inf": 0 }),
    ...odd("negative", { "-2": 1, "-1": 3, "1": 4, "+Inf": 4 }),
    ...odd("backwards", { "1": 4, "2": 3, "3": 6, "+Inf": 6 }),
    ...odd("words", { "1": 1, two: 2, "+Inf": 3 }),
    ...odd("spelled", { "1.0": 2, "1e1": 4, "+Inf": 4 }),
    ...odd("gap", { "1": 2, "2": 2, "4": 8, "+Inf": 8 }),
    ...["0.5", "0.9", "0.99"].map((quantile, place) => row("rpc_seconds", { quantile }, (at) => (place + 1) * 0.25 + (at % 5) / 100)),
    row("rpc_seconds_sum", {}, (at) => at * 4.5),
    row("rpc_seconds_count", {}, (at) => at * 9),
  ];
}

/** Names and labels in all allowed spellings. */
function spellings(): Row[] {
  const texts = ["a-1:b", "host.example:8080", "über", "日本", 'quote"d', "back\\slash", "new\nline", "A-1:B", "a.1:b", "a-1:b "];
  return [
    ...texts.map((text, place) => row("labelled", { text, n: String(place) }, constant(place))),
    row("labelled", { n: "10" }, constant(10)),
    row("labelled", { text: "pair", n: "11", other: "x" }, constant(11)),
    row("labelled", { n: "12", other: "y" }, constant(12)),
    row("job:requests:rate5m", { job: "api" }, constant(12.5)),
    row("job:requests:rate5m", { job: "web" }, constant(7.5)),
    row("on", { kind: "keyword" }, constant(1)),
    row("sum", { kind: "keyword" }, constant(2)),
    row("Inf_total", { kind: "keyword" }, constant(3)),
    row("http.requests", { "service.name": "x", job: "api" }, constant(21)),
    row("http.requests", { "service.name": "y", job: "web" }, constant(22)),
    row("größe", { größe: "groß" }, constant(23)),
  ];
}

/** Two sides that match partially. */
function matches(): Row[] {
  const on = (name: string, rows: readonly (readonly [Readonly<Record<string, string>>, number])[]): Row[] =>
    rows.map(([labels, value]) => row(name, labels, constant(value)));
  return [
    ...on("errors", [
      [{ method: "get", code: "500" }, 24],
      [{ method: "get", code: "404" }, 30],
      [{ method: "put", code: "501" }, 3],
      [{ method: "post", code: "500" }, 6],
      [{ method: "post", code: "404" }, 21],
    ]),
    ...on("requests", [
      [{ method: "get" }, 600],
      [{ method: "del" }, 34],
      [{ method: "post" }, 120],
    ]),
    ...on("limits", [
      [{ method: "get", owner: "ann" }, 500],
      [{ method: "post", owner: "bob" }, 150],
      [{ method: "patch", owner: "cy" }, 5],
    ]),
    ...on("twins", [
      [{ method: "get", n: "1" }, 1],
      [{ method: "get", n: "2" }, 2],
    ]),
  ];
}

/** Times as values, for the calendar. */
function moments(): Row[] {
  const times: Readonly<Record<string, number>> = {
    epoch: 0,
    before_epoch: -1,
    leap_day: 1_709_164_800 + 3_661,
    after_leap_day: 1_709_251_200,
    last_of_year: 1_735_689_599,
    first_of_year: 1_735_689_600,
    leap_year_end: 1_735_603_200,
    century: 951_782_400,
    no_leap_century: 4_107_542_400,
    fraction: 1_748_736_059.75,
    sunday: 1_748_779_200,
    far: 253_402_300_799,
  };
  return Object.entries(times).map(([at, value]) => row("moment", { at }, constant(value)));
}
