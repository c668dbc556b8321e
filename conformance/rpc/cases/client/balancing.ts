import type { ServerSpec, Sight, Step } from "../../client-vocabulary.ts";
import {
  calls,
  FAILS,
  many,
  ONE_SERVED,
  outcomes,
  policy,
  REFUSES,
  ROUND_ROBIN,
  served,
  SERVES,
  SILENT,
  warm,
  warmAll,
  withConfig,
} from "./balance-phrases.ts";
import { all, answer, good, head, received, requests, type Row, say, trailers } from "./phrases.ts";

/** Clients with several addresses (rpc-balancing, rpc-pick-first, rpc-happy-eyeballs, rpc-lb-config). */

const NEEDS = ["addresses"];
const BY_POLICY = ["addresses", "service-config"];
const ORDER = "rpc-balancing#pick-first/order";
const NEXT = "rpc-balancing#round-robin/next";
const EYEBALLS = "rpc-happy-eyeballs#happy-eyeballs-in-the-pick-first-lb-policy";
const unavailable = answer({ status: "UNAVAILABLE" });
const READY: Parameters<typeof calls>[1] = { waitForReady: true };
const CLOSES: ServerSpec = { reach: "closes" };
/** A good answer to a request that has come, and GOAWAY before it. */
const leaving = (request: number): Step[] => [
  { do: "goaway", request, last: "all" },
  head({ request }),
  say([{}], { request }),
  trailers({ request }),
];
const connected = (...servers: number[]): Step => ({ do: "await", see: { see: "connected", servers } });
const reached = (server: number, count: number | readonly [number, number]): Sight => ({ see: "reached", server, count });

const ALL_GOOD: readonly Step[] = [many([SERVES, SERVES]), ...good(1)];
const ROUND_GOOD: readonly Step[] = [withConfig([SERVES, SERVES], ROUND_ROBIN), ...good(1)];

/** The address that gets the calls, by what the servers do. */
const firstThatServes: readonly (readonly [id: string, words: string, servers: readonly ServerSpec[], gets: number])[] = [
  ["second", "The first address refuses connections", [REFUSES, SERVES], 2],
  ["second-of-three", "The first of three addresses refuses connections", [REFUSES, SERVES, SERVES], 2],
  ["third", "The first two addresses refuse connections", [REFUSES, REFUSES, SERVES], 3],
  ["eighth", "The first seven addresses refuse connections", [...Array<ServerSpec>(7).fill(REFUSES), SERVES], 8],
  ["after-closing", "The first address closes connections at once", [CLOSES, SERVES], 2],
  ["after-both", "The first address refuses connections, and the second closes them at once", [REFUSES, CLOSES, SERVES], 3],
];

const pickFirst: readonly Row[] = [
  ...[2, 3, 5].map((count): Row => ({
    id: `first-of-${count}`,
    title: `Of ${count} addresses one gets all calls by default.`,
    covers: ["rpc-balancing#pick-first/one", "rpc-balancing#pick-first/default"],
    needs: NEEDS,
    steps: [many(Array<ServerSpec>(count).fill(SERVES), { calls: calls(3), later: calls(6) })],
    allowed: all(outcomes(9), ONE_SERVED),
  })),
  {
    id: "first-by-config",
    title: "With the policy pick_first one address gets all calls.",
    covers: "rpc-balancing#pick-first/one",
    needs: BY_POLICY,
    steps: [withConfig([SERVES, SERVES], policy("pick_first"), { later: calls(5) })],
    allowed: all(outcomes(6), ONE_SERVED),
  },
  {
    id: "first-shuffled",
    title: "With shuffleAddressList one address gets all calls, too.",
    covers: ["rpc-balancing#pick-first/one", "rpc-pick-first#enable-random-shuffling-of-address-list/shuffled"],
    needs: BY_POLICY,
    steps: [withConfig([SERVES, SERVES, SERVES], policy("pick_first", { shuffleAddressList: true }), { later: calls(5) })],
    allowed: all(outcomes(6), ONE_SERVED),
  },
  {
    id: "first-shuffled-past-refusals",
    title: "With shuffleAddressList the address that accepts connections is found.",
    covers: [ORDER, "rpc-pick-first#enable-random-shuffling-of-address-list/shuffled"],
    needs: BY_POLICY,
    steps: [withConfig([REFUSES, REFUSES, SERVES, REFUSES], policy("pick_first", { shuffleAddressList: true }), { later: calls(3) })],
    allowed: all(outcomes(4), served(3, 4)),
  },
  ...firstThatServes.map(([id, words, servers, gets]): Row => ({
    id: `first-is-${id}`,
    title: `${words}: number ${gets} gets the calls.`,
    covers: ORDER,
    needs: NEEDS,
    steps: [many(servers, { calls: calls(2), later: calls(2) })],
    allowed: all(outcomes(4), served(gets, 4)),
  })),
  {
    id: "first-all-refuse",
    title: "A call fails with UNAVAILABLE when every address refuses connections.",
    covers: "rpc-pick-first#use-sticky-tf-by-default/fails",
    needs: NEEDS,
    steps: [many([REFUSES, REFUSES, REFUSES], { later: calls(2), fence: false })],
    control: ALL_GOOD,
    allowed: all(outcomes(3, "UNAVAILABLE"), requests(0)),
  },
  {
    id: "first-all-close",
    title: "A call fails with UNAVAILABLE when every address closes connections at once.",
    covers: ["rpc-pick-first#use-sticky-tf-by-default/fails", `${EYEBALLS}/pass`],
    needs: NEEDS,
    steps: [many([CLOSES, CLOSES], { fence: false })],
    control: ALL_GOOD,
    allowed: all(unavailable, requests(0), reached(1, [1, 9]), reached(2, [1, 9])),
  },
  ...[1, 2, 3].map((server): Row => ({
    id: `first-returns-${server}`,
    title: `When every address has failed, and number ${server} of three accepts connections again, a call that waits is sent.`,
    covers: "rpc-pick-first#use-sticky-tf-by-default/reconnects",
    needs: [...NEEDS, "wait-for-ready"],
    steps: [
      many([REFUSES, REFUSES, REFUSES], { later: calls(1, READY) }),
      { do: "wait", ms: 100 },
      { do: "server", server, reach: "serves" },
      connected(server),
      ...good(1),
    ],
    control: ALL_GOOD,
    allowed: all(unavailable, answer({ call: 2 }), served(server, 1)),
  })),
  {
    id: "first-after-goaway",
    title: "When the connection has ended, the addresses are tried again from the first on.",
    covers: "rpc-balancing#pick-first/lost",
    needs: NEEDS,
    steps: [many([SERVES, SERVES], { later: calls(1) }), received(1), ...leaving(1), ...good(2)],
    allowed: all(outcomes(2), served(1, 2), { see: "request", request: 2, on: 2 }),
  },
  {
    id: "first-moves-on",
    title: "When the connection has ended, and its address refuses connections, another address gets the calls.",
    covers: "rpc-balancing#pick-first/lost",
    needs: NEEDS,
    steps: [
      many([SERVES, SERVES, SERVES], { later: calls(2) }),
      received(1),
      { do: "server", server: 1, reach: "refuses" },
      ...leaving(1),
      ...good(2),
      ...good(3),
    ],
    allowed: all(outcomes(3), served(1, 1), served(2, 2)),
  },
  {
    id: "first-keeps-failing",
    title: "Statuses of calls do not make pick_first leave its address.",
    covers: "rpc-balancing#pick-first/one",
    needs: NEEDS,
    steps: [many([FAILS, SERVES], { later: calls(4) })],
    control: ALL_GOOD,
    allowed: all(outcomes(5, "UNAVAILABLE"), served(1, 5)),
  },
];

const eyeballs: readonly Row[] = [
  {
    id: "silent-first",
    title: "An address that accepts connections and says nothing does not keep a call from the next one.",
    covers: [`${EYEBALLS}/next`, `${EYEBALLS}/first`],
    needs: NEEDS,
    steps: [many([SILENT, SERVES], { later: calls(2) })],
    allowed: all(outcomes(3), served(2, 3)),
  },
  {
    id: "silent-first-apart",
    title: "The attempt at the second address begins 100 ms to 2 s after that at the first one, which says nothing.",
    covers: `${EYEBALLS}/next`,
    needs: NEEDS,
    steps: [many([SILENT, SERVES])],
    allowed: all(answer(), { see: "apart", from: 1, to: 2, least: 90, most: 2_500 }),
  },
  {
    id: "silent-two",
    title: "The third address gets the calls when the first two say nothing.",
    covers: `${EYEBALLS}/next`,
    needs: NEEDS,
    steps: [many([SILENT, SILENT, SERVES])],
    allowed: all(answer(), served(3, 1), { see: "apart", from: 1, to: 3, least: 190, most: 4_500 }),
  },
  {
    id: "silent-then-refusing",
    title: "The address after a silent and a refusing one gets the calls.",
    covers: `${EYEBALLS}/next`,
    needs: NEEDS,
    steps: [many([SILENT, REFUSES, SERVES], { later: calls(1) })],
    allowed: all(outcomes(2), served(3, 2)),
  },
  {
    id: "silent-cancelled",
    title: "The attempt at a silent address is cancelled when another one has a connection.",
    covers: `${EYEBALLS}/others`,
    needs: NEEDS,
    steps: [many([SILENT, SERVES]), received(1), { do: "await", see: { see: "gone", server: 1 } }, ...good(1)],
    allowed: all(answer(), served(2, 1)),
    // The text says it of what the policy drops, not of the sockets.
    level: "SHOULD",
  },
  {
    id: "silent-goes-on",
    title: "The attempt at the first address goes on while others are tried, and gives the connection if it is the first to succeed.",
    covers: [`${EYEBALLS}/in-flight`, `${EYEBALLS}/first`],
    needs: NEEDS,
    steps: [
      many([SILENT, SILENT], { later: calls(2) }),
      { do: "await", see: { see: "reached", server: 2, count: 1 } },
      { do: "server", server: 1, reach: "serves" },
      ...good(1),
    ],
    allowed: all(outcomes(3), served(1, 3), reached(1, 1)),
  },
];

const roundRobin: readonly Row[] = [
  ...[2, 3, 4].map((count): Row => {
    const servers = Array<ServerSpec>(count).fill(SERVES);
    return {
      id: `round-robin-${count}`,
      title: `With the policy round_robin each of ${count} addresses has the same number of calls.`,
      covers: [NEXT, "rpc-balancing#round-robin/all"],
      needs: BY_POLICY,
      steps: [withConfig(servers, ROUND_ROBIN, { later: calls(12) }), ...warmAll(servers)],
      allowed: all(outcomes(13), ...servers.map((_, at) => served(at + 1, 12 / count, 2))),
    };
  }),
  {
    id: "round-robin-in-turns",
    title: "Of two calls, one after the other, each address has one.",
    covers: NEXT,
    needs: BY_POLICY,
    steps: [withConfig([SERVES, SERVES], ROUND_ROBIN, { later: calls(1), more: [calls(1), calls(1), calls(1)] }), ...warm(1, 2)],
    allowed: all(outcomes(5), served(1, 2, 2), served(2, 2, 2)),
  },
  ...(
    [
      ["refusing", "refuses connections", REFUSES],
      ["closing", "closes connections at once", CLOSES],
      ["silent", "says nothing", SILENT],
    ] as const
  ).map(([id, words, spec]): Row => ({
    id: `round-robin-past-${id}`,
    title: `An address that ${words} gets no calls; the others share them.`,
    covers: NEXT,
    needs: BY_POLICY,
    steps: [withConfig([SERVES, spec, SERVES], ROUND_ROBIN, { later: calls(8) }), ...warm(1, 3)],
    allowed: all(outcomes(9), served(1, 4, 2), served(3, 4, 2)),
  })),
  {
    id: "round-robin-failing",
    title: "A server whose calls fail has its share of them.",
    covers: NEXT,
    needs: BY_POLICY,
    steps: [withConfig([SERVES, FAILS], ROUND_ROBIN, { later: calls(8) }), ...warm(1, 2).slice(0, 3), ...good(1)],
    control: ROUND_GOOD,
    allowed: all(outcomes(4, "UNAVAILABLE"), outcomes(5), served(2, 4, 2)),
  },
  {
    id: "round-robin-one-left",
    title: "When one of two addresses has left, the other one gets all calls.",
    covers: NEXT,
    needs: BY_POLICY,
    steps: [
      withConfig([SERVES, SERVES], ROUND_ROBIN, { later: calls(1), more: [calls(6)] }),
      ...warm(1, 2),
      received(2),
      { do: "server", server: 1, reach: "refuses", drops: true },
      { do: "wait", ms: 150 },
      ...good(2),
    ],
    // The second call may have been on the connection that has ended.
    control: ROUND_GOOD,
    allowed: [{ see: all(served(2, 6, 3), served(1, [0, 1], 2)) }],
  },
  {
    id: "round-robin-joins",
    title: "An address that accepts connections later has its share of the calls from then on.",
    covers: ["rpc-balancing#round-robin/reconnects", NEXT],
    needs: BY_POLICY,
    steps: [
      withConfig([SERVES, REFUSES], ROUND_ROBIN, { later: calls(6) }),
      received(1),
      { do: "server", server: 2, reach: "serves" },
      ...warm(1, 2),
    ],
    allowed: all(outcomes(7), served(1, 3, 2), served(2, 3, 2)),
  },
  {
    id: "round-robin-all-refuse",
    title: "A call fails with UNAVAILABLE when every address refuses connections.",
    covers: "rpc-balancing#round-robin/fails",
    needs: BY_POLICY,
    steps: [withConfig([REFUSES, REFUSES], ROUND_ROBIN, { later: calls(1), fence: false })],
    control: ROUND_GOOD,
    allowed: all(outcomes(2, "UNAVAILABLE"), requests(0)),
  },
  {
    id: "round-robin-awaited",
    title: "A call that waits is sent when the first of the addresses accepts connections.",
    covers: "rpc-balancing#round-robin/fails",
    needs: [...BY_POLICY, "wait-for-ready"],
    steps: [
      withConfig([REFUSES, REFUSES], ROUND_ROBIN, { calls: calls(1, READY) }),
      { do: "wait", ms: 100 },
      { do: "server", server: 2, reach: "serves" },
      connected(2),
      ...good(1),
    ],
    control: ROUND_GOOD,
    allowed: all(answer(), served(2, 1)),
  },
  {
    id: "round-robin-recovered",
    title: "A call waits while an address connects again that had failed before its last connection.",
    covers: ["rpc-balancing#round-robin/reconnects", "rpc-balancing#round-robin/fails"],
    needs: [...BY_POLICY, "wait-for-ready", "deadline"],
    steps: [
      withConfig([REFUSES, REFUSES], ROUND_ROBIN, { later: calls(1, READY), more: [calls(1, { timeoutMs: 400 })], fence: false }),
      { do: "wait", ms: 100 },
      { do: "server", server: 1, reach: "serves" },
      received(1),
      { do: "server", server: 1, reach: "silent" },
      ...leaving(1),
    ],
    control: ROUND_GOOD,
    allowed: all(unavailable, answer({ call: 2 }), answer({ call: 3, status: "DEADLINE_EXCEEDED" })),
  },
  {
    id: "round-robin-goaway",
    title: "After GOAWAY of one server calls go on, and it gets them again on another connection.",
    covers: ["rpc-balancing#round-robin/reconnects", NEXT],
    needs: BY_POLICY,
    steps: [
      withConfig([SERVES, SERVES], ROUND_ROBIN, { later: calls(6) }),
      received(1),
      connected(1, 2),
      { do: "goaway", request: 1, last: "all" },
      { do: "wait", ms: 300 },
      ...good(1),
    ],
    allowed: all(outcomes(7), served(1, 3, 2), served(2, 3, 2), { see: "connections", count: 3 }),
  },
];

export const rows: readonly Row[] = [...pickFirst, ...eyeballs, ...roundRobin];
