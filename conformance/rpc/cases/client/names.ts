import type { Ask, NamesSpec, ServerSpec, Step } from "../../client-vocabulary.ts";
import { calls, ONE_SERVED, outcomes, policy, REFUSES, ROUND_ROBIN, served, SERVES, warm } from "./balance-phrases.ts";
import { all, answer, ask, callOf, good, head, received, requests, type Row, say, trailers } from "./phrases.ts";

/** Targets that are names (rpc-names), and Unix sockets. */

const DNS = "rpc-names#name-syntax/dns";
const UNIX = "rpc-names#name-syntax/unix";
const NEEDS = ["names"];
const BY_POLICY = ["names", "service-config"];
const unavailable = answer({ status: "UNAVAILABLE" });

/** The description of calls to a name. */
const named = (servers: readonly ServerSpec[], names: NamesSpec = {}, more: Partial<Ask> = {}): Ask => ({
  do: "ask",
  calls: calls(1),
  servers,
  names,
  ...more,
  channel: { lookUpApartMs: 100, ...more.channel },
});
const GOOD_NAME: readonly Step[] = [named([SERVES]), ...good(1)];
const rounds = { channel: { serviceConfig: ROUND_ROBIN } };
/** A good answer to a request that has come, after which its server is gone. */
const last = (request: number, server: number): Step[] => [
  { do: "goaway", request, last: "all" },
  { do: "server", server, reach: "refuses" },
  head({ request }),
  say([{}], { request }),
  trailers({ request }),
];

const names: readonly Row[] = [
  {
    id: "name-several-addresses",
    title: "Of several addresses of a name one gets all calls by default.",
    covers: [DNS, "rpc-balancing#pick-first/default"],
    needs: NEEDS,
    steps: [named([SERVES, SERVES, SERVES], {}, { later: calls(5) })],
    allowed: all(outcomes(6), ONE_SERVED),
  },
  ...[1, 2, 3].map((server): Row => ({
    id: `name-only-${server}-serves`,
    title: `Of three addresses of a name number ${server} accepts connections, and gets the calls.`,
    covers: DNS,
    needs: NEEDS,
    steps: [
      named(
        [1, 2, 3].map((one) => (one === server ? SERVES : REFUSES)),
        {},
        { later: calls(2) },
      ),
    ],
    allowed: all(outcomes(3), served(server, 3)),
  })),
  {
    id: "name-round-robin",
    title: "With the policy round_robin all addresses of a name share the calls.",
    covers: [DNS, "rpc-balancing#round-robin/next"],
    needs: BY_POLICY,
    steps: [named([SERVES, SERVES, SERVES], {}, { ...rounds, later: calls(9) }), ...warm(1, 2, 3)],
    allowed: all(outcomes(10), served(1, 3, 2), served(2, 3, 2), served(3, 3, 2)),
  },
  {
    id: "name-forty-addresses",
    title: "A name with so many addresses that their list needs TCP is looked up.",
    covers: DNS,
    needs: NEEDS,
    steps: [named([...Array<ServerSpec>(39).fill(REFUSES), SERVES], { addresses: Array.from({ length: 40 }, (_, at) => at + 1) })],
    allowed: all(answer(), served(40, 1)),
  },
  {
    id: "name-absent",
    title: "A call to a name that does not exist fails with UNAVAILABLE.",
    covers: DNS,
    needs: NEEDS,
    steps: [named([SERVES], { addresses: [] }, { fence: false })],
    control: GOOD_NAME,
    allowed: all(unavailable, requests(0)),
  },
  {
    id: "name-fails",
    title: "A call fails with UNAVAILABLE when the server of names cannot answer.",
    covers: DNS,
    needs: NEEDS,
    steps: [named([SERVES], { failures: 1_000 }, { fence: false })],
    control: GOOD_NAME,
    allowed: all(unavailable, requests(0)),
  },
  {
    id: "name-silent",
    title: "A call ends at its deadline although the server of names never answers.",
    covers: "rpc-status#codes/deadline",
    needs: [...NEEDS, "deadline"],
    steps: [named([SERVES], { silent: true }, { calls: calls(1, { timeoutMs: 300 }), fence: false })],
    control: GOOD_NAME,
    allowed: all(answer({ status: ["DEADLINE_EXCEEDED", "UNAVAILABLE"] }), requests(0)),
  },
  {
    id: "name-awaited",
    title: "A call that waits is sent when the name exists at last.",
    covers: DNS,
    needs: [...NEEDS, "wait-for-ready"],
    steps: [
      named([SERVES], { addresses: [] }, { calls: calls(1, { waitForReady: true }) }),
      { do: "wait", ms: 200 },
      { do: "names", addresses: [1] },
      ...good(1),
    ],
    control: GOOD_NAME,
    allowed: all(answer(), served(1, 1)),
  },
  {
    id: "name-looked-up-again",
    title: "When the address of a name is gone, the name is looked up again, and the call goes to its new address.",
    covers: DNS,
    needs: [...NEEDS, "wait-for-ready"],
    steps: [
      named([SERVES, SERVES], { addresses: [1] }, { later: calls(1, { waitForReady: true }), more: [calls(2)] }),
      received(1),
      { do: "names", addresses: [2] },
      ...last(1, 1),
    ],
    allowed: all(outcomes(4), served(1, 1), served(2, 3)),
  },
  {
    id: "name-new-address",
    title: "An address that the name has now has its share of the calls.",
    covers: DNS,
    needs: BY_POLICY,
    steps: [
      named([SERVES, SERVES], { addresses: [1] }, { ...rounds, later: calls(1), more: [calls(6)] }),
      received(1),
      { do: "names", addresses: [1, 2] },
      // The loss of a connection leads to a look-up.
      { do: "goaway", request: 1, last: "all" },
      ...warm(1, 2),
      ...good(2),
    ],
    allowed: all(outcomes(8), served(1, 3, 3), served(2, 3, 3)),
  },
  {
    id: "name-old-address",
    title: "An address that the name does not have any more gets no calls.",
    covers: DNS,
    needs: BY_POLICY,
    steps: [
      named([SERVES, SERVES, SERVES], {}, { ...rounds, later: calls(1), more: [calls(6)] }),
      ...warm(1, 2, 3),
      received(2),
      { do: "names", addresses: [1, 2] },
      // The loss of a connection leads to a look-up.
      { do: "goaway", request: 2, last: "all" },
      { do: "wait", ms: 600 },
      ...good(2),
    ],
    allowed: all(served(1, 3, 3), served(2, 3, 3), served(3, 0, 3)),
  },
  {
    id: "name-address-left",
    title: "The connection to an address that the name has no more is ended.",
    covers: "rpc-balancing#round-robin/all",
    needs: BY_POLICY,
    // The text says which connections there are, not when one that is too many ends.
    level: "SHOULD",
    steps: [
      named([SERVES, SERVES, SERVES], {}, { ...rounds, later: calls(1), more: [calls(1)] }),
      ...warm(1, 2, 3),
      received(2),
      { do: "names", addresses: [1, 2] },
      // The loss of a connection leads to a look-up.
      { do: "goaway", request: 2, last: "all" },
      { do: "wait", ms: 600 },
      ...good(2),
      received(3),
      { do: "await", see: { see: "gone", server: 3 } },
      ...good(3),
    ],
    allowed: all(outcomes(3), { see: "gone", server: 3 }),
  },
  {
    id: "name-policy-list",
    title: "The policy of the channel counts for a name, too.",
    covers: ["rpc-lb-config#proposal/first-known", DNS],
    needs: BY_POLICY,
    steps: [named([SERVES, SERVES], {}, { channel: { serviceConfig: policy("pick_first") }, later: calls(4) })],
    allowed: all(outcomes(5), ONE_SERVED),
  },
];

const addresses: readonly Row[] = (["dns:", "dns:///"] as const).map((form): Row => ({
  id: `name-address-${form === "dns:" ? "short" : "slashes"}`,
  title: `A target of the form ${form} with an IP address is that address, which needs no server of names.`,
  covers: DNS,
  needs: NEEDS,
  steps: [ask({}, { dns: form, later: calls(1) }), ...good(1)],
  allowed: all(
    answer(),
    outcomes(2),
    { see: "holds", monitor: "authority" },
    { see: "request", like: { ":authority": "^127\\.0\\.0\\.1:" } },
  ),
}));

const unix = (more: Partial<Ask> = {}, form: NonNullable<Ask["unix"]> = "unix:path"): Ask => ask({}, { unix: form, ...more });
const GOOD_UNIX: readonly Step[] = [unix(), ...good(1)];
const sockets: readonly Row[] = [
  ...(["unix:path", "unix://path"] as const).map((form): Row => ({
    id: `unix-${form === "unix:path" ? "path" : "slashes"}`,
    title: `A target of the form ${form} is a Unix socket.`,
    covers: UNIX,
    needs: ["unix"],
    steps: [unix({ later: calls(3) }, form), ...good(1)],
    allowed: all(answer(), outcomes(4), { see: "connections", count: 1 }),
  })),
  {
    id: "unix-stream",
    title: "Streams in both directions work over a Unix socket.",
    covers: UNIX,
    needs: ["unix", "streams"],
    steps: [ask({ kind: "bidi", messages: ["61", "62"] }, { unix: "unix:path" }), ...good(1, [{ payload: "a" }, { payload: "b" }])],
    allowed: answer({ messages: ["a", "b"] }),
  },
  {
    id: "unix-large-message",
    title: "A message of 60,000 octets comes over a Unix socket.",
    covers: UNIX,
    needs: ["unix"],
    steps: [unix(), received(1), head(), say([{ size: 60_000 }], { cut: 16_384 }), trailers()],
    allowed: answer({ sizes: [60_000] }),
  },
  {
    id: "unix-authority",
    title: "Requests over a Unix socket have an authority that is not empty.",
    covers: "rpc-names#name-syntax/unix",
    needs: ["unix"],
    steps: GOOD_UNIX,
    allowed: all(answer(), { see: "holds", monitor: "authority" }, { see: "request", like: { ":authority": "." } }),
  },
  {
    id: "unix-absent",
    title: "A call to a Unix socket that does not exist fails with UNAVAILABLE.",
    covers: UNIX,
    needs: ["unix"],
    steps: [unix({ servers: [REFUSES], fence: false })],
    control: GOOD_UNIX,
    allowed: all(unavailable, requests(0)),
  },
  {
    id: "unix-awaited",
    title: "A call that waits is sent when the Unix socket exists at last.",
    covers: UNIX,
    needs: ["unix", "wait-for-ready"],
    steps: [
      ask({ waitForReady: true }, { unix: "unix:path", servers: [REFUSES] }),
      { do: "wait", ms: 200 },
      { do: "server", reach: "serves" },
      ...good(1),
    ],
    control: GOOD_UNIX,
    allowed: answer(),
  },
  {
    id: "unix-again",
    title: "After GOAWAY the next call has a new connection to the Unix socket.",
    covers: UNIX,
    needs: ["unix"],
    steps: [unix({ later: [callOf()] }), received(1), { do: "goaway", request: 1, last: "all" }, head(), say(), trailers(), ...good(2)],
    allowed: all(outcomes(2), { see: "request", request: 2, on: 2 }),
  },
];

export const rows: readonly Row[] = [...names, ...addresses, ...sockets];
