import { acceptedAndAnswered, firstExchange, get, handshake, request, send } from "../phrases.ts";
import type { Case, Step } from "../../vocabulary.ts";

const again = (stream: number): Step[] => [
  send(get(stream)),
  { do: "await", see: { see: "response", stream, sameStatusAs: 1, complete: true } },
];

/** Connection management (rfc9113#9.1). */
export const cases: readonly Case[] = [
  {
    id: "http2/connection-stays-open",
    spec: "rfc9113#9.1",
    covers: ["rfc9113#9.1/persistent"],
    level: "SHOULD",
    role: "server",
    title: "The server keeps a connection open for several requests.",
    steps: [...firstExchange, ...again(3), ...again(5), ...again(7), ...again(9)],
    control: [...firstExchange],
    allowed: [{ see: { see: "accepted" } }],
  },
  {
    id: "http2/request-for-another-authority",
    spec: "rfc9113#9.1.1",
    covers: ["rfc9113#9.1.1/misdirected"],
    level: "MAY",
    role: "server",
    title: "The server answers a request for an unknown authority with 421 or any other status.",
    steps: [
      handshake,
      send({ ...get(1), fields: request().map(([name, value]) => [name, name === ":authority" ? "touchstone.invalid" : value]) }),
    ],
    control: [handshake, send(get(1))],
    allowed: acceptedAndAnswered(1),
  },
];
