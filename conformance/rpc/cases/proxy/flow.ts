import type { Sight, Step } from "../../proxy-vocabulary.ts";
import {
  all,
  answered,
  asked,
  begun,
  call,
  good,
  GOOD,
  head,
  lastly,
  mood,
  received,
  reply,
  type Row,
  trailers,
  until,
} from "./phrases.ts";

/** Windows, the limits of both ends, and many calls at once. */

const ABOVE_WINDOW = 200_000;
const LARGEST_FRAME = 16_384;
/** A flood, and how much of it a proxy may keep. */
const FLOOD = 24_000_000;
const KEPT = 16_000_000;
const FEW = [1, 2, 3, 4, 5, 6];
const LATER = FEW.slice(2);
const MANY = Array.from({ length: 60 }, (_, at) => at + 1);
/** Every call is answered with its own message. */
const own = (numbers: readonly number[]): Sight => all(...numbers.map((number) => good({ call: number })));

export const rows: readonly Row[] = [
  {
    id: "window-of-origin-kept",
    title: "A request does not exceed the windows of the origin.",
    covers: "rfc9113#6.9.1/not-beyond-window",
    steps: [
      call(),
      until({ see: "request" }),
      { do: "flood", from: "client", size: ABOVE_WINDOW },
      { do: "end", call: 1 },
      received(),
      ...answered(),
    ],
    control: GOOD,
    allowed: all({ see: "windows kept", at: "origin" }, { see: "request", ended: true, sizes: [ABOVE_WINDOW] }, good()),
  },
  {
    id: "window-of-client-kept",
    title: "A response does not exceed the windows of the client.",
    covers: "rfc9113#6.9.1/not-beyond-window",
    steps: [...asked(), received(), head(), { do: "flood", from: "origin", size: ABOVE_WINDOW }, trailers()],
    control: GOOD,
    allowed: all({ see: "windows kept", at: "client" }, good({ sizes: [ABOVE_WINDOW] })),
  },
  {
    id: "small-windows-of-client",
    title: "A response reaches a client whose windows are small.",
    covers: "rfc9113#6.9.1/window-updated",
    steps: [{ do: "settings", settings: [["INITIAL_WINDOW_SIZE", 10]] }, ...GOOD],
    allowed: good(),
  },
  {
    id: "small-windows-of-origin",
    title: "A request reaches an origin whose windows are small.",
    covers: "rfc9113#6.9.1/window-updated",
    steps: [mood({ settings: [["INITIAL_WINDOW_SIZE", 10]] }), ...GOOD],
    allowed: all({ see: "request", ended: true, messages: ["touchstone"] }, good()),
  },
  {
    id: "frames-of-origin-kept",
    title: "The frames of a request are not larger than the origin accepts.",
    covers: "rfc9113#4.2/oversize",
    steps: [call(), lastly([{ size: ABOVE_WINDOW }], { patient: true }), received(), ...answered()],
    allowed: all({ see: "frames", at: "origin", largest: LARGEST_FRAME }, { see: "request", sizes: [ABOVE_WINDOW] }, good()),
  },
  {
    id: "frames-of-client-kept",
    title: "The frames of a response are not larger than the client accepts.",
    covers: "rfc9113#4.2/oversize",
    steps: [...asked(), received(), head(), { do: "pour", size: ABOVE_WINDOW }, trailers()],
    allowed: all({ see: "frames", at: "client", largest: LARGEST_FRAME }, good({ sizes: [ABOVE_WINDOW] })),
  },
  {
    id: "slow-origin-slows-client",
    title: "A proxy keeps at most some megabytes of a request that the origin does not read.",
    covers: "rpc-http2#requests/proxy-pressure",
    steps: [
      call(),
      until({ see: "request" }),
      { do: "flood", from: "client", size: FLOOD },
      { do: "end", call: 1 },
      received(),
      ...answered(),
    ],
    control: GOOD,
    allowed: all({ see: "taken", most: KEPT }, { see: "request", ended: true, sizes: [FLOOD] }, good()),
  },
  {
    id: "slow-client-slows-origin",
    title: "A proxy keeps at most some megabytes of a response that the client does not read.",
    covers: "rpc-http2#requests/proxy-pressure",
    steps: [...asked(), received(), head(), { do: "flood", from: "origin", size: FLOOD }, trailers()],
    control: GOOD,
    allowed: all({ see: "taken", most: KEPT }, good({ sizes: [FLOOD] })),
  },
  {
    id: "blocked-call-alone",
    title: "A response for which the client gives no window does not hold up other calls.",
    covers: "rpc-http2#requests/proxy-pressure",
    steps: [
      { do: "settings", settings: [["INITIAL_WINDOW_SIZE", 100]] },
      { do: "hold windows" },
      ...asked(1),
      received(1),
      head({ request: 1 }),
      reply([{ size: 30_000 }], { request: 1, cut: 10_000 }),
      { do: "wait", ms: 100, until: begun() },
      ...asked(2),
      received(2),
      ...answered(2),
      until(good({ call: 2 })),
      { do: "release windows" },
      trailers({ request: 1 }),
    ],
    control: [...asked(1), received(1), ...asked(2), received(2), ...answered(1), ...answered(2)],
    allowed: all(good({ call: 1, sizes: [30_000] }), good({ call: 2 })),
  },
  {
    id: "limit-of-origin-kept",
    title: "Calls at once do not exceed the limit of the origin on streams.",
    covers: "rfc9113#5.1.2/not-exceeded",
    steps: [
      mood({ settings: [["MAX_CONCURRENT_STREAMS", 2]] }),
      call(1),
      call(2),
      { do: "wait", ms: 100 },
      ...LATER.flatMap((number): Step[] => [call(number)]),
      { do: "wait", ms: 100 },
      ...FEW.flatMap((number): Step[] => [lastly([{}], {}, number)]),
    ],
    control: FEW.flatMap((number) => asked(number)),
    allowed: all({ see: "at once", most: 2 }, own(FEW)),
  },
  {
    id: "sixty-calls-at-once",
    title: "Sixty calls at once are answered.",
    covers: "rpc-http2#requests/proxy-streams",
    steps: [...MANY.flatMap((number) => [call(number)]), ...MANY.flatMap((number) => [lastly([{}], {}, number)])],
    allowed: own(MANY),
  },
  {
    id: "calls-answered-in-any-order",
    title: "Responses reach the client in the order in which the origin sends them.",
    covers: "rpc-http2#requests/proxy-streams",
    steps: [
      ...asked(1, ["x-number", "1"]),
      received(1),
      ...asked(2, ["x-number", "2"]),
      received(2),
      ...answered(2, [{ payload: "two" }]),
      until(good({ call: 2, messages: ["two"] })),
      ...answered(1, [{ payload: "one" }]),
    ],
    allowed: all(good({ call: 1, messages: ["one"] }), good({ call: 2, messages: ["two"] })),
  },
];
