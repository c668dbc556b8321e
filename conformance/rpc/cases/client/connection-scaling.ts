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
    id: "scaling-off",
    title: "Without a setting a channel has one connection to an address, and further calls wait.",
    covers: "rpc-connection-scaling#configuration/default",
    steps: [ask({ later: 3, streams: 1 }), ...goods(1, 4)],
    allowed: all(...answers(4), connections(1), { see: "at once", most: 1 }),
  },
];
