import { get, send, withoutStreamWindows } from "../../phrases.ts";
import type { Case, FieldSpec, FrameSpec, Row, Step } from "../../../vocabulary.ts";

const OPEN: FrameSpec = { type: "SETTINGS", settings: [["INITIAL_WINDOW_SIZE", 0x7fff_ffff]] };
const update = (stream: number, text: string): FrameSpec => ({ type: "PRIORITY_UPDATE", stream: 0, promised: stream, text });
const priority = (value: string): FieldSpec => ["priority", value];
const headsArrive: readonly Step[] = [1, 3].map((stream) => ({ do: "await", see: { see: "response", stream } }) as const);

/** The windows stay closed until both responses have begun and `later` has arrived: their order is the server's choice alone. */
const exchange = (requests: readonly FrameSpec[], later: readonly FrameSpec[] = []): readonly Step[] => [
  withoutStreamWindows,
  send(...requests),
  ...headsArrive,
  send(...later, OPEN),
];

type Order = Row<"spec" | "covers"> & { readonly requests: readonly FrameSpec[]; readonly later?: readonly FrameSpec[] };
const laterFirst = ({ requests, later, ...row }: Order): Case => ({
  level: "SHOULD",
  role: "server",
  // A server that announces this setting uses the priorities of RFC 9218.
  needs: ["no-rfc7540-priorities", "body"],
  steps: exchange(requests, later),
  control: exchange([get(1), get(3)]),
  allowed: [
    {
      see: {
        see: "all",
        of: [
          { see: "response", stream: 1, complete: true },
          { see: "response", stream: 3, complete: true },
          { see: "holds", monitor: "content-of-stream-3-first" },
        ],
      },
    },
  ],
  ...row,
});

/** The order in which a server that uses priorities sends two responses that are ready (rfc9218#10). */
export const cases: readonly Case[] = [
  laterFirst({
    id: "http2/priority-more-urgent-first",
    title: "The server sends the content of a more urgent request before that of an earlier one.",
    spec: "rfc9218#10",
    covers: ["rfc9218#10/urgency"],
    requests: [get(1), get(3, priority("u=2"))],
  }),
  laterFirst({
    id: "http2/priority-least-urgent-last",
    title: "The server sends the content of a request without a priority before that of an earlier one of lower urgency.",
    spec: "rfc9218#4",
    covers: ["rfc9218#4/defaults", "rfc9218#10/urgency"],
    requests: [get(1, priority("u=4")), get(3)],
  }),
  laterFirst({
    id: "http2/priority-update-of-an-idle-stream-counts",
    title: "The server sends first what PRIORITY_UPDATE made more urgent before the request.",
    spec: "rfc9218#7",
    covers: ["rfc9218#7/buffered", "rfc9218#10/urgency"],
    requests: [update(3, "u=1"), get(1), get(3)],
  }),
  laterFirst({
    id: "http2/priority-update-of-an-open-stream-counts",
    title: "The server sends first what PRIORITY_UPDATE made more urgent after the request.",
    spec: "rfc9218#7.1",
    covers: ["rfc9218#10/urgency"],
    requests: [get(1), get(3, priority("u=5"))],
    later: [update(3, "u=0")],
  }),
];
