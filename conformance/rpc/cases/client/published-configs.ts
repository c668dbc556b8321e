import { SERVICE } from "../../../wire/rpc/contract.ts";
import type { Ask, ServerSpec, Sight, Step } from "../../client-vocabulary.ts";
import type { StatusName } from "../../vocabulary.ts";
import { calls, outcomes, ROUND_ROBIN, served, SERVES, warm } from "./balance-phrases.ts";
import { all, answer, good, head, only, received, requests, type Row, say, trailers } from "./phrases.ts";

/** Service configs that the owner of a name publishes in DNS (rpc-config-dns, rpc-config-errors). A retry policy shows which one counts. */

const NEEDS = ["names", "published-config", "retries"];
const DNS = "rpc-config-dns";
const ERRORS = "rpc-config-errors";
const RECEIVED = `${ERRORS}#behavior-on-receiving-a-new-grpc-config`;

/** Sends a call again that has failed with this status: what a channel does with it shows which config it has. */
const retrying = (code: StatusName): object => ({
  methodConfig: [
    {
      name: [{ service: SERVICE }],
      retryPolicy: { maxAttempts: 2, initialBackoff: "0.05s", maxBackoff: "0.05s", backoffMultiplier: 1, retryableStatusCodes: [code] },
    },
  ],
});
const CONFIG = retrying("UNAVAILABLE");
const OTHER = retrying("ABORTED");
/** A failure for a request, and a good answer for the next one. */
const failing = (request: number, status: StatusName): Step[] => [received(request), only(status, { request }), ...good(request + 1)];
/** The config is in use, or the other one. */
const BY_CONFIG: readonly Step[] = failing(1, "UNAVAILABLE");
const BY_OTHER: readonly Step[] = failing(1, "ABORTED");
const USED = all(answer(), requests(2));
/** Neither is. */
const UNUSED: readonly Step[] = [received(1), only("UNAVAILABLE", { request: 1 })];
const NONE: Sight = all(answer({ status: "UNAVAILABLE" }), requests(1));
const INVALID = all(answer({ status: "UNAVAILABLE" }), requests(0));

type More = Partial<Ask> & { readonly texts?: readonly string[]; readonly servers?: readonly ServerSpec[] };
const published = (choices: unknown, { texts, servers = [SERVES], ...more }: More = {}): Ask => ({
  do: "ask",
  calls: calls(1),
  servers,
  names: { choices, ...(texts === undefined ? {} : { texts }) },
  ...more,
  channel: { publishedConfig: true, lookUpApartMs: 100, ...more.channel },
});
const CONTROL: readonly Step[] = [published([{ serviceConfig: CONFIG }]), ...good(1)];

/** Choices of which the client takes one. */
const chosen: readonly (readonly [id: string, title: string, covers: Row["covers"], choices: unknown])[] = [
  ["one", "The config of the only choice is used, from the first call on.", `${RECEIVED}/used`, [{ serviceConfig: CONFIG }]],
  [
    "first",
    "Of two choices for everybody the first counts.",
    `${DNS}#canarying-changes/first`,
    [{ serviceConfig: CONFIG }, { serviceConfig: OTHER }],
  ],
  [
    "other-language",
    "A choice for another language is passed over.",
    `${DNS}#canarying-changes/first`,
    [{ clientLanguage: ["cobol"], serviceConfig: OTHER }, { serviceConfig: CONFIG }],
  ],
  [
    "own-language",
    "A choice for the language of the client counts.",
    `${DNS}#canarying-changes/first`,
    [{ clientLanguage: ["cobol", "{language}"], serviceConfig: CONFIG }, { serviceConfig: OTHER }],
  ],
  [
    "own-language-upper",
    "The language of the client counts in upper case.",
    `${DNS}#canarying-changes/language`,
    [{ clientLanguage: ["{LANGUAGE}"], serviceConfig: CONFIG }, { serviceConfig: OTHER }],
  ],
  [
    "own-language-mixed",
    "The language of the client counts in mixed case.",
    `${DNS}#canarying-changes/language`,
    [{ clientLanguage: ["{Language}"], serviceConfig: CONFIG }, { serviceConfig: OTHER }],
  ],
  [
    "empty-language",
    "An empty list of languages fits every client.",
    `${DNS}#canarying-changes/first`,
    [{ clientLanguage: [], serviceConfig: CONFIG }, { serviceConfig: OTHER }],
  ],
  [
    "empty-hostname",
    "An empty list of hostnames fits every client.",
    `${DNS}#canarying-changes/first`,
    [{ clientHostname: [], serviceConfig: CONFIG }, { serviceConfig: OTHER }],
  ],
  [
    "nobody-percent",
    "A choice for 0% of the clients is passed over.",
    `${DNS}#canarying-changes/percentage`,
    [{ percentage: 0, serviceConfig: OTHER }, { serviceConfig: CONFIG }],
  ],
  [
    "all-percent",
    "A choice for 100% of the clients counts.",
    `${DNS}#canarying-changes/percentage`,
    [{ percentage: 100, serviceConfig: CONFIG }, { serviceConfig: OTHER }],
  ],
  [
    "other-hostname",
    "A choice for another host is passed over.",
    `${DNS}#canarying-changes/hostname`,
    [{ clientHostname: ["nobody.test"], serviceConfig: OTHER }, { serviceConfig: CONFIG }],
  ],
  [
    "own-hostname",
    "A choice for the host of the client counts.",
    `${DNS}#canarying-changes/hostname`,
    [{ clientHostname: ["nobody.test", "{hostname}"], serviceConfig: CONFIG }, { serviceConfig: OTHER }],
  ],
  [
    "part-of-hostname",
    "A choice for a name that begins with that of the host is passed over.",
    `${DNS}#canarying-changes/hostname`,
    [{ clientHostname: ["{hostname}x"], serviceConfig: OTHER }, { serviceConfig: CONFIG }],
  ],
  [
    "both-criteria",
    "A choice counts if all its criteria fit.",
    `${DNS}#canarying-changes/first`,
    [{ clientLanguage: ["{language}"], percentage: 100, clientHostname: ["{hostname}"], serviceConfig: CONFIG }, { serviceConfig: OTHER }],
  ],
  [
    "one-criterion",
    "A choice of whose criteria one does not fit is passed over.",
    `${DNS}#canarying-changes/first`,
    [{ clientLanguage: ["{language}"], percentage: 0, serviceConfig: OTHER }, { serviceConfig: CONFIG }],
  ],
  [
    "unknown-fields",
    "Unknown fields of the chosen config are ignored.",
    `${ERRORS}#criteria-to-determine-the-validity-of-a-service-config/unknown`,
    [{ serviceConfig: { ...CONFIG, fromTheFuture: { a: 1 } } }],
  ],
  [
    "long",
    "A config in several strings of a record, over TCP, is used.",
    `${DNS}#encoding-in-dns-txt-records/attribute`,
    [{ serviceConfig: { ...CONFIG, padding: "x".repeat(1_500) } }],
  ],
  [
    "two-strings",
    "The strings of a record are joined.",
    `${DNS}#encoding-in-dns-txt-records/attribute`,
    [{ serviceConfig: { ...CONFIG, padding: "x".repeat(260) } }],
  ],
];
/** Lists of which nothing is used: the channel has no config. */
const invalid: readonly (readonly [id: string, words: string, covers: Row["covers"], choices: unknown])[] = [
  ["field", "a choice with an unknown field", `${DNS}#canarying-changes/fields`, [{ canary: true, serviceConfig: CONFIG }]],
  ["no-config", "a choice without a config", `${DNS}#canarying-changes/fields`, [{ percentage: 100 }]],
  ["config-text", "a choice whose config is a text", `${DNS}#canarying-changes/fields`, [{ serviceConfig: "round_robin" }]],
  ["config-list", "a choice whose config is a list", `${DNS}#canarying-changes/fields`, [{ serviceConfig: [CONFIG] }]],
  ["percentage-101", "a percentage of 101", `${DNS}#canarying-changes/percentage`, [{ percentage: 101, serviceConfig: CONFIG }]],
  ["percentage-negative", "a negative percentage", `${DNS}#canarying-changes/percentage`, [{ percentage: -1, serviceConfig: CONFIG }]],
  [
    "percentage-fraction",
    "a percentage that is not whole",
    `${DNS}#canarying-changes/percentage`,
    [{ percentage: 99.5, serviceConfig: CONFIG }],
  ],
  ["percentage-text", "a percentage that is a text", `${DNS}#canarying-changes/percentage`, [{ percentage: "100", serviceConfig: CONFIG }]],
  ["not-json", "choices that are not JSON", `${DNS}#canarying-changes/discarded`, "[{"],
  ["no-list", "choices that are not a list", `${DNS}#canarying-changes/discarded`, { serviceConfig: CONFIG }],
  [
    "timeout",
    "a chosen config with a timeout that is no duration",
    `${ERRORS}#criteria-to-determine-the-validity-of-a-service-config/known`,
    [{ serviceConfig: { methodConfig: [{ name: [{ service: SERVICE }], timeout: "soon" }] } }],
  ],
  [
    "method-config",
    "a chosen config whose methodConfig is not a list",
    `${ERRORS}#criteria-to-determine-the-validity-of-a-service-config/known`,
    [{ serviceConfig: { methodConfig: 7 } }],
  ],
  [
    "policies",
    "a chosen config without a known policy",
    "rpc-lb-config#proposal/none-known",
    [{ serviceConfig: { ...CONFIG, loadBalancingConfig: [{ no_such_policy: {} }] } }],
  ],
];
/** A good answer to a request that has come, and GOAWAY before it: the client looks the name up again. */
const leaving = (request: number): Step[] => [
  { do: "goaway", request, last: "all" },
  head({ request }),
  say([{}], { request }),
  trailers({ request }),
];
/** The second call is held until the client has had time to look the name up again; the third one fails at first, with this status. */
const changed = (then: unknown, status: StatusName): Step[] => [
  published([{ serviceConfig: CONFIG }], { later: calls(1, { waitForReady: true }), more: [calls(1, { waitForReady: true })] }),
  received(1),
  { do: "names", choices: then },
  ...leaving(1),
  received(2),
  { do: "wait", ms: 500 },
  ...good(2),
  ...failing(3, status),
];
const CHANGED = all(outcomes(3), requests(4));

export const rows: readonly Row[] = [
  ...chosen.map(([id, title, covers, choices]): Row => ({
    id: `config-${id}`,
    title,
    covers,
    needs: NEEDS,
    steps: [published(choices), ...BY_CONFIG],
    control: CONTROL,
    allowed: USED,
  })),
  ...invalid.map(([id, words, covers, choices]): Row => ({
    id: `config-invalid-${id}`,
    title: `Calls of a new channel fail with UNAVAILABLE if ${words} is published.`,
    covers: [...[covers].flat(), `${RECEIVED}/invalid-first`] as unknown as Row["covers"],
    needs: NEEDS,
    steps: [published(choices, { fence: false })],
    control: CONTROL,
    allowed: INVALID,
    // A number in a text is one in some forms of JSON.
    ...(id === "percentage-text" && { level: "SHOULD" as const }),
  })),
  {
    id: "config-none",
    title: "Without a published config the config of the channel is used.",
    covers: `${RECEIVED}/none`,
    needs: [...NEEDS, "service-config"],
    steps: [published(undefined, { channel: { serviceConfig: OTHER } }), ...BY_OTHER],
    control: CONTROL,
    allowed: USED,
  },
  {
    id: "config-none-at-all",
    title: "Without any config no call is sent again.",
    covers: `${RECEIVED}/none`,
    needs: NEEDS,
    steps: [published(undefined), ...UNUSED],
    control: CONTROL,
    allowed: NONE,
  },
  {
    id: "config-other-records",
    title: "Other TXT records at the name of the config are passed over.",
    covers: `${DNS}#encoding-in-dns-txt-records/attribute`,
    needs: NEEDS,
    steps: [published([{ serviceConfig: CONFIG }], { texts: ["v=spf1 -all", "other_config=[]"] }), ...BY_CONFIG],
    control: CONTROL,
    allowed: USED,
    level: "SHOULD",
  },
  {
    id: "config-no-choice-fits",
    title: "If no choice fits the client, the config of the channel is used.",
    covers: `${RECEIVED}/none`,
    needs: [...NEEDS, "service-config"],
    steps: [published([{ percentage: 0, serviceConfig: CONFIG }], { channel: { serviceConfig: OTHER } }), ...BY_OTHER],
    control: CONTROL,
    allowed: USED,
  },
  {
    id: "config-before-own",
    title: "A published config counts, and not that of the channel.",
    covers: `${RECEIVED}/used`,
    needs: [...NEEDS, "service-config"],
    steps: [published([{ serviceConfig: CONFIG }], { channel: { serviceConfig: OTHER } }), ...BY_CONFIG],
    control: CONTROL,
    allowed: USED,
  },
  {
    id: "config-not-asked",
    title: "A channel that does not heed published configs has none.",
    covers: `${RECEIVED}/none`,
    needs: ["names"],
    steps: [{ ...published([{ serviceConfig: CONFIG }]), channel: { lookUpApartMs: 100 } }, ...UNUSED],
    control: CONTROL,
    allowed: NONE,
    level: "SHOULD",
  },
  {
    id: "config-policy",
    title: "The policy of a published config is used.",
    covers: [`${RECEIVED}/used`, "rpc-balancing#round-robin/next"],
    needs: NEEDS,
    steps: [published([{ serviceConfig: ROUND_ROBIN }], { servers: [SERVES, SERVES], later: calls(6) }), ...warm(1, 2)],
    allowed: all(outcomes(7), served(1, 3, 2), served(2, 3, 2)),
  },
  {
    id: "config-awaited",
    title: "A call that waits is sent when a valid config is published at last.",
    covers: `${RECEIVED}/invalid-first`,
    needs: [...NEEDS, "wait-for-ready"],
    steps: [
      published("[", { calls: calls(1, { waitForReady: true }) }),
      { do: "wait", ms: 200 },
      { do: "names", choices: [{ serviceConfig: CONFIG }] },
      ...BY_CONFIG,
    ],
    control: CONTROL,
    allowed: USED,
  },
  {
    id: "config-changed",
    title: "When the published config has changed, later calls have the new one.",
    covers: `${RECEIVED}/used`,
    needs: [...NEEDS, "wait-for-ready"],
    steps: changed([{ serviceConfig: OTHER }], "ABORTED"),
    control: CONTROL,
    allowed: CHANGED,
  },
  {
    id: "config-kept",
    title: "When the published config becomes invalid, the one before it stays in use.",
    covers: `${RECEIVED}/invalid-later`,
    needs: [...NEEDS, "wait-for-ready"],
    steps: changed("[{", "UNAVAILABLE"),
    control: CONTROL,
    allowed: CHANGED,
  },
];
