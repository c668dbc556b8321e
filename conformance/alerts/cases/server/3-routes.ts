import { about, exactly, firing, post, routed, seen, setup, unseen, until } from "../phrases.ts";
import type { RouterSetup, Settings } from "../../vocabulary.ts";

/** Which receiver gets an alert. */

const M = "configuration.matcher";
const R = "configuration.route";
/** Labels of which the matchers take one and leave the other. */
type Labels = Readonly<Record<string, string>>;
const MATCHERS: readonly (readonly [id: string, covers: string, title: string, node: Settings, takes: Labels, leaves: Labels])[] = [
  ["equal", `${M}/operators`, "=", { matchers: ['n="1"'] }, { n: "1" }, { n: "2" }],
  ["not-equal", `${M}/operators`, "!=", { matchers: ['n!="1"'] }, { n: "2" }, { n: "1" }],
  ["pattern", `${M}/operators`, "=~", { matchers: ['n=~"a|b.*"'] }, { n: "bcd" }, { n: "c" }],
  ["not-pattern", `${M}/operators`, "!~", { matchers: ['n!~"a|b.*"'] }, { n: "c" }, { n: "bcd" }],
  [
    "pattern-anchored-start",
    `${M}/anchored`,
    "=~, for the whole value from its start",
    { matchers: ['n=~"bc"'] },
    { n: "bc" },
    { n: "abc" },
  ],
  ["pattern-anchored-end", `${M}/anchored`, "=~, for the whole value to its end", { matchers: ['n=~"bc"'] }, { n: "bc" }, { n: "bcd" }],
  ["not-pattern-anchored", `${M}/anchored`, "!~, for the whole value", { matchers: ['n!~"bc"'] }, { n: "abcd" }, { n: "bc" }],
  ["several", `${R}/matchers`, "several matchers, all of them", { matchers: ['n="1"', 'm="2"'] }, { n: "1", m: "2" }, { n: "1", m: "3" }],
  ["missing-empty", `${M}/missing`, "an empty value, for a missing label", { matchers: ['m=""'] }, { n: "1" }, { m: "1" }],
  [
    "missing-not-empty",
    `${M}/missing`,
    "!= with an empty value, for a label that is there",
    { matchers: ['m!=""'] },
    { m: "1" },
    { n: "1" },
  ],
  [
    "missing-pattern",
    `${M}/missing`,
    "a regular expression that matches nothing, for a missing label",
    { matchers: ['m=~"|1"'] },
    { n: "1" },
    { m: "2" },
  ],
  ["missing-not-equal", `${M}/missing`, "!=, for a missing label", { matchers: ['m!="1"'] }, { n: "1" }, { m: "1" }],
  ["literal", `${M}/quoting`, "a value without quotes", { matchers: ["n=1"] }, { n: "1" }, { n: "2" }],
  ["spaced", `${M}/quoting`, "white space around the operator", { matchers: ['n = "1"'] }, { n: "1" }, { n: "2" }],
  ["escaped", `${M}/quoting`, "escaped characters in quotes", { matchers: ['n="a \\"b\\" \\\\ c"'] }, { n: 'a "b" \\ c' }, { n: "a b c" }],
  ["reserved", `${M}/quoting`, "reserved characters in quotes", { matchers: ['n="{a=~b}, c"'] }, { n: "{a=~b}, c" }, { n: "a" }],
  ["digits", `${M}/quoting`, "an escaped class of characters", { matchers: ['n=~"\\\\d+"'] }, { n: "12" }, { n: "d" }],
  ["match", `${R}/deprecated`, "match", { match: { n: "1" } }, { n: "1" }, { n: "2" }],
  ["match-re", `${R}/deprecated`, "match_re", { match_re: { n: "a|b.*" } }, { n: "bcd" }, { n: "abc" }],
];

const inner = (node: Settings): RouterSetup => setup({ routes: [{ receiver: "inner", ...node }] }, { ends: { inner: {} } });
const ENDS = { one: {}, two: {}, three: {} };
const tree = (...routes: readonly Settings[]): RouterSetup => setup({ routes }, { ends: ENDS });

export const cases = [
  ...MATCHERS.flatMap(([id, covers, title, node, takes, leaves]) => [
    routed({
      id: `match-${id}`,
      covers: [covers, `${R}/matchers`],
      title: `A route takes an alert that its matchers match: ${title}.`,
      steps: [inner(node), post(firing(takes)), until("inner")],
      see: [seen("inner", exactly(takes)), unseen("main")],
    }),
    routed({
      id: `no-match-${id}`,
      covers: [covers, `${R}/nested`],
      title: `A route does not take an alert that its matchers do not match: ${title}.`,
      steps: [inner(node), post(firing(leaves)), until("main")],
      see: [seen("main", exactly(leaves)), unseen("inner")],
    }),
  ]),
  routed({
    id: "route-default",
    covers: `${R}/root`,
    title: "The root handles an alert that none of its children matches.",
    steps: [setup({ matchers: ['n="never"'] }), post(firing({ n: "1" })), until("default")],
    see: [seen("default", { body: { receiver: "default" }, alerts: [{ labels: { n: "1" } }] }), unseen("main")],
  }),
  routed({
    id: "route-first",
    covers: `${R}/first`,
    title: "Of several children that match, the first takes the alert.",
    steps: [
      tree({ receiver: "one", matchers: ['n="1"'] }, { receiver: "two", matchers: ['n=~".+"'] }),
      post(firing({ n: "1", m: "a" }), firing({ n: "2" })),
      until("one"),
      until("two"),
    ],
    see: [seen("one", exactly({ n: "1" })), unseen("two", about({ n: "1" })), unseen("main")],
  }),
  routed({
    id: "route-continue",
    covers: `${R}/continue`,
    title: "After a child with continue, the next that matches takes the alert too.",
    steps: [
      tree(
        { receiver: "one", matchers: ['n="1"'], continue: true },
        { receiver: "two", matchers: ['n="2"'] },
        { receiver: "three", matchers: ['n=~"1|2"'] },
      ),
      post(firing({ n: "1" })),
      until("one"),
      until("three"),
    ],
    see: [seen("one", exactly({ n: "1" })), seen("three", exactly({ n: "1" })), unseen("two"), unseen("main")],
  }),
  routed({
    id: "route-continue-unmatched",
    covers: `${R}/continue`,
    title: "The continue of a child that does not match means nothing.",
    steps: [
      tree({ receiver: "one", matchers: ['n="1"'], continue: true }, { receiver: "two", matchers: ['n="2"'] }),
      post(firing({ n: "2" })),
      until("two"),
    ],
    see: [seen("two", exactly({ n: "2" })), unseen("one"), unseen("main")],
  }),
  routed({
    id: "route-nested",
    covers: `${R}/nested`,
    title: "An alert goes down to the deepest node that matches.",
    steps: [
      tree({
        receiver: "one",
        matchers: ['n="1"'],
        routes: [{ receiver: "two", matchers: ['m="1"'], routes: [{ receiver: "three", matchers: ['l="1"'] }] }],
      }),
      post(firing({ n: "1", m: "1", l: "1" })),
      until("three"),
    ],
    see: [seen("three", exactly({ l: "1" })), unseen("one"), unseen("two"), unseen("main")],
  }),
  routed({
    id: "route-nested-back",
    covers: `${R}/nested`,
    title: "A node handles an alert that none of its children matches, and no sibling gets it.",
    steps: [
      tree(
        { receiver: "one", matchers: ['n="1"'], routes: [{ receiver: "two", matchers: ['m="1"'] }] },
        { receiver: "three", matchers: ['n=~".*"'] },
      ),
      post(firing({ n: "1", m: "2" })),
      until("one"),
    ],
    see: [seen("one", exactly({ m: "2" })), unseen("two"), unseen("three"), unseen("main")],
  }),
  routed({
    id: "route-nested-continue",
    covers: [`${R}/continue`, `${R}/nested`],
    title: "The continue of a node counts also where one of its children takes the alert.",
    steps: [
      tree(
        { receiver: "one", matchers: ['n="1"'], continue: true, routes: [{ receiver: "two", matchers: ['n="1"'] }] },
        { receiver: "three", matchers: ['n="1"'] },
      ),
      post(firing({ n: "1" })),
      until("two"),
      until("three"),
    ],
    see: [seen("two", exactly({ n: "1" })), seen("three", exactly({ n: "1" })), unseen("one")],
  }),
  routed({
    id: "route-inherits-receiver",
    covers: `${R}/inherited`,
    title: "A node without a receiver has that of its parent.",
    steps: [setup({ routes: [{ matchers: ['n="1"'], group_by: ["n"] }] }), post(firing({ n: "1" })), until("main")],
    see: seen("main", { body: { groupLabels: { n: "1", alertname: null } } }),
  }),
  routed({
    id: "route-inherits-groups",
    covers: `${R}/inherited`,
    title: "A node without group_by has that of its parent.",
    steps: [
      setup({ group_by: ["n", "m"], routes: [{ receiver: "one", matchers: ['n="1"'] }] }, { ends: ENDS }),
      post(firing({ n: "1", m: "1" }), firing({ n: "1", m: "2" })),
      until("one", 2),
    ],
    see: [
      seen("one", { body: { groupLabels: { n: "1", m: "1" } }, alerts: [{}] }),
      seen("one", { body: { groupLabels: { n: "1", m: "2" } }, alerts: [{}] }),
    ],
  }),
];
