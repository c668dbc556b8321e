import { all, drop, exit, FENCE, first, message, only, say, status, until, closed, type Told } from "../phrases.ts";
import { agent, client, hubCases, stranger, watcher, wrong } from "./phrases.ts";

const SILENT = { silent: true } as const;
const CONTROL = [agent(), client("a")];

const refusedTokens: readonly Told[] = (
  [
    ["token-absent", "token-required", "a client without a token", stranger("a")],
    ["token-wrong", "token-wrong", "a client with a wrong token", wrong("a")],
    ["token-in-query", "token-required", "a token in the query", stranger("a", { query: "client=a&token={client}" })],
    [
      "token-several",
      "token-several",
      "two tokens",
      client("a", { ...SILENT, headers: { "sec-websocket-protocol": "touchstone.channel, token.{agent}" } }),
    ],
    [
      "token-several-subprotocols",
      "token-several",
      "two tokens as subprotocols",
      stranger("a", { headers: { "sec-websocket-protocol": "touchstone.channel, token.{client}, token.{client}" } }),
    ],
    ["token-other-scheme", "token-required", "a token of another scheme", stranger("a", { headers: { authorization: "Basic {client}" } })],
    [
      "token-absent-unknown-session",
      "before-session",
      "a client without a token of a session that does not exist",
      stranger("a", { session: "nowhere" }),
    ],
    [
      "token-wrong-unknown-session",
      "before-session",
      "a client with a wrong token of a session that does not exist",
      wrong("a", { session: "nowhere" }),
    ],
  ] as const
).map(([id, rule, what, step]) => ({
  id,
  covers: `channel#1.2/${rule}`,
  title: `Refuses ${what} with 401.`,
  steps: [agent(), step],
  control: CONTROL,
  see: status("a", 401),
}));

const refusedQueries: readonly Told[] = [
  ...(
    [
      ["agent-without-run", ""],
      ["agent-run-with-hyphen-first", "run=-a"],
      ["agent-run-with-dot-last", "run=a."],
      ["agent-run-with-slash", "run=a/b"],
      ["agent-run-of-65", `run=${"r".repeat(65)}`],
    ] as const
  ).map(([id, query]): Told => ({
    id,
    covers: "channel#1.3/agent-run",
    title: `Refuses an agent with the query "${query.slice(0, 12)}" with 400.`,
    steps: [agent("agent", { query, ...SILENT })],
    control: [agent()],
    see: status("agent", 400),
  })),
  ...(
    [
      ["client-without-name", "client-id", ""],
      ["client-name-with-space", "client-id", "client=a%20b"],
      ["client-name-of-65", "client-id", `client=${"c".repeat(65)}`],
      ["from-no-number", "from", "client=a&from=x"],
      ["from-negative", "from", "client=a&from=-1"],
      ["from-fraction", "from", "client=a&from=1.5"],
      ["from-too-large", "from", "client=a&from=9007199254740992"],
      ["mode-unknown", "mode", "client=a&mode=look"],
    ] as const
  ).map(([id, rule, query]): Told => ({
    id,
    covers: `channel#1.3/${rule}`,
    title: `Refuses a client with the query "${query.slice(0, 24)}" with 400.`,
    steps: [agent(), client("a", { query, ...SILENT })],
    control: CONTROL,
    see: status("a", 400),
  })),
];

const hosts: readonly Told[] = [
  ...(
    [
      ["host-foreign", "elsewhere.example"],
      ["host-foreign-with-port", "elsewhere.example:80"],
      ["host-behind-an-address", "127.0.0.1.elsewhere.example"],
      ["host-behind-localhost", "localhost.elsewhere.example"],
      ["host-that-ends-like-localhost", "notlocalhost"],
    ] as const
  ).map(([id, host]): Told => ({
    id,
    covers: "channel#1.4/host",
    level: "SHOULD",
    title: `Refuses a request that addresses ${host} with 421.`,
    steps: [agent(), client("a", { headers: { host }, ...SILENT })],
    control: CONTROL,
    see: status("a", 421),
  })),
  ...(
    [
      ["host-localhost", "localhost"],
      ["host-localhost-in-capitals", "LOCALHOST:1"],
      ["host-localhost-with-final-dot", "localhost."],
      ["host-under-localhost", "hub.localhost:8080"],
      ["host-address", "192.0.2.1"],
      ["host-address-of-version-6", "[2001:db8::1]:8080"],
    ] as const
  ).map(([id, host]): Told => ({
    id,
    covers: "channel#1.4/host",
    level: "SHOULD",
    title: `Serves a request that addresses ${host}.`,
    steps: [agent(), client("a", { headers: { host } })],
    control: CONTROL,
    see: first("a", { type: "state", agent: "here" }),
  })),
];

const ownHost: Told = {
  id: "host-own",
  covers: "channel#1.4/host",
  level: "SHOULD",
  title: "Serves a request that addresses its own name.",
  needs: ["another name"],
  steps: [agent(), client("a", { headers: { host: "{name}:8080" } })],
  control: CONTROL,
  see: first("a", { type: "state", agent: "here" }),
};

const acceptedTokens: readonly Told[] = (
  [
    ["token-scheme-in-lower-case", "the scheme of a token in lower case", { authorization: "bearer {client}" }],
    ["token-behind-two-spaces", "a token after two spaces", { authorization: "Bearer  {client}" }],
    ["token-in-tight-list", "a token in a list without spaces", { "sec-websocket-protocol": "touchstone.channel,token.{client}" }],
    ["token-first-in-list", "a token before the subprotocol", { "sec-websocket-protocol": "token.{client}, touchstone.channel" }],
  ] as const
).map(([id, what, headers]): Told => ({
  id,
  covers: "channel#1.2/token-wrong",
  title: `Accepts ${what}.`,
  steps: [agent(), stranger("a", { headers }), FENCE],
  control: CONTROL,
  see: first("a", { type: "state", agent: "here" }),
}));

const challenges: readonly Told[] = (
  [
    ["absent", "without a token", stranger("a")],
    ["wrong", "with a wrong token", wrong("a")],
  ] as const
).map(([id, what, step]): Told => ({
  id: `token-${id}-challenged`,
  covers: "rfc9110#15.5.2/challenge",
  title: `Says in the refusal of a client ${what} how to authenticate (WWW-Authenticate).`,
  steps: [agent(), step],
  control: CONTROL,
  see: all(status("a", 401), { see: "field", on: "a", name: "www-authenticate" }),
}));

export const cases = hubCases([
  ...hosts,
  ownHost,
  ...challenges,
  ...acceptedTokens,
  {
    id: "subprotocol-selected",
    covers: "channel#1.1/subprotocol",
    title: "Selects the subprotocol of the channel.",
    steps: CONTROL,
    see: { see: "subprotocol", on: "a", name: "touchstone.channel" },
  },
  {
    id: "subprotocol-of-token-not-selected",
    covers: "channel#1.1/token-subprotocol",
    level: "MUST NOT",
    title: "Does not select the subprotocol that carries the token.",
    steps: [agent(), stranger("a", { headers: { "sec-websocket-protocol": "token.{client}, touchstone.channel" } })],
    see: { see: "subprotocol", on: "a", name: "touchstone.channel" },
  },
  ...refusedTokens,
  ...refusedQueries,
  {
    id: "names-of-64",
    covers: "channel#1.3/client-id",
    title: "Accepts names of 64 characters with dots, underscores and hyphens.",
    steps: [agent("agent", { query: `run=${"r.".repeat(31)}_r` }), client("a", { query: `client=${"c-".repeat(31)}_c` })],
    see: message("a", { type: "state", agent: "here" }),
  },
  {
    id: "session-unknown",
    covers: "channel#1.4/no-session",
    title: "Refuses a client for a session that does not exist with 404.",
    steps: [agent(), client("a", { session: "nowhere", ...SILENT })],
    control: CONTROL,
    see: status("a", 404),
  },
  ...(
    [
      ["session-name-with-slash", "a%2fb"],
      ["session-name-with-dot-last", "a."],
      ["session-name-of-65", "s".repeat(65)],
    ] as const
  ).map(([id, session]): Told => ({
    id,
    covers: "channel#1.4/invalid-name",
    title: `Refuses an agent for the invalid name ${session.slice(0, 8)} with 404.`,
    steps: [agent("agent", { session, ...SILENT })],
    control: [agent()],
    see: status("agent", 404),
  })),
  {
    id: "second-agent",
    covers: "channel#1.4/other-agent",
    title: "Refuses an agent of another run while the session is offered.",
    steps: [agent(), agent("other", { query: "run=other", ...SILENT })],
    control: [agent(), agent("other")],
    see: status("other", 409),
  },
  {
    id: "run-that-ended",
    covers: "channel#1.4/run-ended",
    title: "Refuses an agent whose run has ended for good.",
    steps: [agent(), say("agent", exit(false)), until(closed("agent", 1000)), agent("again", SILENT)],
    control: [agent(), say("agent", exit(false)), until(closed("agent", 1000)), agent("again", { query: "run=next" })],
    see: status("again", 409),
  },
  ...(
    [
      ["origin-foreign", "https://elsewhere.example"],
      ["origin-null", "null"],
      ["origin-of-another-scheme", "https://{host}"],
    ] as const
  ).map(([id, origin]): Told => ({
    id,
    covers: "channel#1.4/origin",
    title: `Refuses a page of the origin ${origin.replaceAll(/[{}]/g, "")}.`,
    steps: [agent(), client("a", { headers: { origin }, ...SILENT })],
    control: [agent(), client("a", { headers: { origin: "http://{host}" } })],
    see: status("a", 403),
  })),
  {
    id: "origin-own",
    covers: "channel#1.4/origin",
    title: "Serves its own page.",
    steps: [agent(), client("a", { headers: { origin: "http://{host}" } }), FENCE],
    control: CONTROL,
    see: first("a", { type: "state", agent: "here" }),
  },
  {
    id: "origin-admitted",
    covers: "channel#1.4/origin",
    title: "Serves a page of another origin that its owner admits.",
    needs: ["another origin"],
    steps: [agent(), client("a", { headers: { origin: "{origin}" } }), FENCE],
    control: CONTROL,
    see: first("a", { type: "state", agent: "here" }),
  },
  {
    id: "watching-token",
    covers: "channel#1.3/watch",
    title: "Lets a watcher's token only watch: its window is 0.",
    needs: ["watchers"],
    steps: [agent(), watcher("w")],
    see: message("w", { type: "state", window: 0, owner: false }),
  },
  {
    id: "watching-mode",
    covers: "channel#1.3/watch",
    title: "Lets a client with the watching mode only watch: its window is 0.",
    steps: [agent(), client("w", { query: "client=w&mode=watch" })],
    see: message("w", { type: "state", window: 0, owner: false }),
  },
  {
    id: "typing-mode",
    covers: "channel#1.3/mode",
    title: "Accepts the mode of clients that type.",
    steps: [agent(), client("a", { query: "client=a&mode=type" }), drop("a"), client("b"), FENCE],
    see: only("b", { type: "state", clients: 1, owner: true }),
  },
]);
