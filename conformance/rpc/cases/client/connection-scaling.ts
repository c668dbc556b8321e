import type { SettingName } from "../../../wire/http2/frame-spec.ts";
import type { CallSpec, Sight, Step } from "../../client-vocabulary.ts";
import { all, answer, callOf, good, received, type Row } from "./phrases.ts";

/** Several connections to a server that limits its streams (rpc-connection-scaling). */

const NEEDS = ["connection-scaling"];
const MANAGED = "rpc-connection-scaling#connection-management/new";
const PICKED = "rpc-connection-scaling#picking-a-connection-for-each-rpc/oldest";
const QUEUED = "rpc-connection-scaling#picking-a-connection-for-each-rpc/queued";
const limited = (most: number): readonly (readonly [SettingName, number])[] => [["MAX_CONCURRENT_STREAMS", most]];
const calls = (count: number): readonly CallSpec[] => Array.from({ length: count }, () => callOf());
const numbers = (from: number, to: number): readonly number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

type Of = { readonly first?: number; readonly later?: number; readonly most?: number; readonly streams: number };
/** The description of calls on a channel with at most so many connections, at a server with so many streams on each. */
const ask = ({ first = 1, later = 0, most, streams }: Of): Step => ({
  do: "ask",
  calls: calls(first),
  ...(later === 0 ? {} : { later: calls(later) }),
  settings: limited(streams),
  ...(most === undefined ? {} : { channel: { serviceConfig: { connectionScaling: { maxConnectionsPerSubchannel: most } } } }),
});
const goods = (from: number, to: number): Step[] => numbers(from, to).flatMap((at) => good(at));
const arrived = (from: number, to: number): Step[] => numbers(from, to).map((at) => received(at));
const answers = (count: number): Sight[] => numbers(1, count).map((call) => answer({ call }));
const connections = (count: number): Sight => ({ see: "connections", count });

/** Rounds of so many calls, on at most two connections with one stream each. The first one learns the limit of its connection. */
const rounds = (first: number, later: number, ...more: readonly number[]): Step[] => [
  { ...ask({ first, later, most: 2, streams: 1 }), ...(more.length === 0 ? {} : { more: more.map(calls) }) } as Step,
];
/** The second of two calls finds no stream, and the server accepts no further connection. */
const REFUSED: readonly Step[] = [
  { ...ask({ later: 2, most: 2, streams: 1 }), servers: [{}] } as Step,
  received(1),
  { do: "server", reach: "refuses" },
  ...good(1),
  ...arrived(2, 2),
  { do: "wait", ms: 200 },
];

export const rows: readonly Row[] = [
  {
    id: "scaling-second-connection",
    title: "A call that finds no free stream gets a second connection, if the channel may have two.",
    covers: MANAGED,
    needs: NEEDS,
    steps: [ask({ later: 2, most: 2, streams: 1 }), ...goods(1, 1), ...arrived(2, 3), ...goods(2, 3)],
    allowed: all(...answers(3), connections(2), { see: "at once", most: 1 }),
  },
  {
    id: "scaling-as-many-as-allowed",
    title: "Further calls wait when every connection that the channel may have is full.",
    covers: [QUEUED, MANAGED],
    needs: NEEDS,
    steps: [ask({ later: 4, most: 2, streams: 1 }), ...goods(1, 1), ...arrived(2, 3), ...goods(2, 5)],
    allowed: all(...answers(5), connections(2), { see: "at once", most: 1 }),
  },
  {
    id: "scaling-two-streams-each",
    title: "A second connection is opened for the call for which the first one has no stream.",
    covers: MANAGED,
    needs: NEEDS,
    steps: [ask({ later: 3, most: 3, streams: 2 }), ...goods(1, 1), ...arrived(2, 4), ...goods(2, 4)],
    allowed: all(...answers(4), connections(2), { see: "at once", most: 2 }),
  },
  {
    id: "scaling-not-needed",
    title: "Calls for which one connection has streams stay on it, although the channel may have more.",
    covers: MANAGED,
    needs: NEEDS,
    steps: [ask({ later: 5, most: 4, streams: 10 }), ...goods(1, 1), ...arrived(2, 6), ...goods(2, 6)],
    allowed: all(...answers(6), connections(1)),
  },
  {
    id: "scaling-oldest-first",
    title: "A call takes the oldest connection that has a free stream.",
    covers: PICKED,
    needs: NEEDS,
    steps: [ask({ first: 2, later: 1, most: 2, streams: 1 }), ...arrived(1, 2), ...goods(1, 3)],
    allowed: all(...answers(3), connections(2), { see: "request", request: 3, on: 1 }),
  },
  {
    id: "scaling-capped-at-ten",
    title: "A channel has at most ten connections to an address, whatever its service config asks for.",
    covers: "rpc-connection-scaling#configuration/capped",
    needs: NEEDS,
    steps: [ask({ first: 12, most: 100, streams: 1 }), ...arrived(1, 10), ...goods(1, 12)],
    allowed: all(...answers(12), connections(10), { see: "at once", most: 1 }),
  },
  {
    id: "scaling-limit-raised",
    title: "Calls that wait begin when the server raises its limit of streams.",
    covers: "rpc-connection-scaling#picking-a-connection-for-each-rpc/again",
    needs: NEEDS,
    steps: [
      ask({ later: 4, most: 2, streams: 1 }),
      ...goods(1, 1),
      ...arrived(2, 3),
      { do: "settings", request: 2, settings: limited(10) },
      ...arrived(4, 5),
      ...goods(2, 5),
    ],
    allowed: all(...answers(5), connections(2)),
  },
  {
    id: "scaling-one-of-two-ends",
    title: "When one of two connections has ended, calls go on with the other one.",
    covers: PICKED,
    needs: NEEDS,
    steps: [
      ...rounds(1, 2, 1),
      ...goods(1, 1),
      ...arrived(2, 3),
      // Before the answer: no later call may take it.
      { do: "goaway", request: 2, last: 2 },
      ...goods(2, 4),
    ],
    allowed: all(...answers(4), connections(2), { see: "request", request: 4, on: 2 }),
  },
  {
    id: "scaling-both-end",
    title: "When both connections have ended, later calls get new ones, again as many as they need.",
    covers: [MANAGED, PICKED],
    needs: NEEDS,
    steps: [
      ...rounds(1, 2, 1, 2),
      ...goods(1, 1),
      ...arrived(2, 3),
      { do: "goaway", request: 2, last: 2 },
      { do: "goaway", request: 3, last: 3 },
      ...goods(2, 4),
      ...arrived(5, 6),
      ...goods(5, 6),
    ],
    allowed: all(...answers(6), connections(4), { see: "at once", most: 1 }),
  },
  {
    id: "scaling-queued-when-connection-ends",
    title: "A call that waits gets a new connection when one of two full ones takes no further calls.",
    covers: "rpc-connection-scaling#picking-a-connection-for-each-rpc/again",
    needs: NEEDS,
    steps: [...rounds(1, 3), ...goods(1, 1), ...arrived(2, 3), { do: "goaway", request: 2, last: 2 }, ...arrived(4, 4), ...goods(2, 4)],
    allowed: all(...answers(4), connections(3), { see: "at once", most: 1 }),
  },
  {
    id: "scaling-refused",
    title: "A call that waits begins on the connection that stands when a further one is refused.",
    covers: QUEUED,
    needs: [...NEEDS, "addresses"],
    steps: [...REFUSED, ...goods(2, 3)],
    allowed: all(...answers(3), connections(1), { see: "at once", most: 1 }),
  },
  {
    id: "scaling-refused-then-served",
    title: "A further connection that was refused is attempted again while a call waits for it.",
    covers: "rpc-connection-scaling#backoff-behavior-and-connectivity-state/again",
    needs: [...NEEDS, "addresses"],
    steps: [...REFUSED, { do: "server", reach: "serves" }, ...arrived(3, 3), ...goods(2, 3)],
    allowed: all(...answers(3), connections(2), { see: "at once", most: 1 }),
  },
  {
    id: "scaling-off",
    title: "Without a setting a channel has one connection to an address, and further calls wait.",
    covers: "rpc-connection-scaling#configuration/default",
    steps: [ask({ later: 3, streams: 1 }), ...goods(1, 4)],
    allowed: all(...answers(4), connections(1), { see: "at once", most: 1 }),
  },
];
