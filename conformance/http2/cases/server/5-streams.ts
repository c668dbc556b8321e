import { firstExchange, get, handshake, holds, openStreamWindows, post, send, withoutStreamWindows } from "../phrases.ts";
import type { Case, FrameSpec, Sight } from "../../vocabulary.ts";

const data = (stream: number): FrameSpec => ({ type: "DATA", stream, data: "content" });
const lastData = (stream: number): FrameSpec => ({ type: "DATA", stream, data: "content", flags: ["END_STREAM"] });
const responses = (...streams: number[]): Sight[] => streams.map((stream) => ({ see: "response", stream, complete: true }));

/** Concurrent streams (rfc9113#5), and flow control, which applies to DATA only (rfc9113#5.2). */
export const cases: readonly Case[] = [
  {
    id: "http2/streams-interleaved",
    spec: "rfc9113#5",
    covers: ["rfc9113#5/interleaved", "rfc9113#5/order"],
    level: "MUST",
    role: "server",
    title: "The server answers three requests whose frames are interleaved.",
    steps: [handshake, send(post(1), data(1), post(3), data(1), data(3), post(5), data(5), lastData(3), data(1), lastData(5), lastData(1))],
    control: [handshake, send(post(1), lastData(1), post(3), lastData(3), post(5), lastData(5))],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, ...responses(1, 3, 5)] } }],
  },
  {
    id: "http2/request-during-another",
    spec: "rfc9113#5",
    covers: ["rfc9113#5/interleaved", "rfc9113#5.1/open-any-frame"],
    level: "MUST",
    role: "server",
    title: "The server answers a request that arrives while another is incomplete.",
    // The first request stays incomplete: a server that answered it early and reset it should get no more DATA.
    steps: [handshake, send(post(1), data(1), get(3)), { do: "await", see: { see: "response", stream: 3, complete: true } }],
    control: [handshake, send(post(1), lastData(1), get(3))],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, ...responses(3)] } }],
  },
  {
    id: "http2/request-while-responses-are-blocked",
    spec: "rfc9113#5.2.1",
    covers: ["rfc9113#5/interleaved", "rfc9113#5.2.1/sender-respects"],
    level: "MUST",
    role: "server",
    needs: ["body"],
    title: "The server answers a stream with an open window while others are blocked.",
    steps: [
      withoutStreamWindows,
      send(get(1), get(3), get(5), { type: "WINDOW_UPDATE", stream: 5, increment: 65_535 }),
      { do: "await", see: { see: "response", stream: 5, complete: true } },
      send(openStreamWindows),
    ],
    control: [handshake, send(get(1), get(3), get(5))],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "holds", monitor: "flow-control" }, ...responses(1, 3, 5)] } }],
  },
  {
    id: "http2/header-section-without-window",
    spec: "rfc9113#5.2.1",
    covers: ["rfc9113#5.2.1/only-data", "rfc9113#5.1/half-closed-remote-sending"],
    level: "MUST",
    role: "server",
    needs: ["body"],
    title: "The server sends the header section of a response, a PING ACK and a SETTINGS ACK while the stream's window is 0.",
    steps: [
      withoutStreamWindows,
      send(get(1), { type: "PING", hex: "746f756368737421" }, { type: "SETTINGS" }),
      { do: "await", see: { see: "response", stream: 1 } },
      { do: "await", see: { see: "frame", type: "PING", where: { ack: true } } },
      { do: "await", see: { see: "frame", type: "SETTINGS", where: { ack: true } } },
      send(openStreamWindows),
    ],
    control: [withoutStreamWindows, send(get(1), openStreamWindows)],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, ...responses(1)] } }],
  },
  {
    id: "http2/windows-of-our-choice",
    spec: "rfc9113#5.2.1",
    covers: ["rfc9113#5.2.1/any-window", "rfc9113#5.2.1/initial-windows"],
    level: "MUST",
    role: "server",
    needs: ["body"],
    title: "The server accepts the largest possible windows for streams and for the connection.",
    steps: [
      { do: "handshake", settings: [["INITIAL_WINDOW_SIZE", 0x7fff_ffff]] },
      send({ type: "WINDOW_UPDATE", increment: 0x7fff_ffff - 65_535 }),
      // Both windows are at their maximum, so the harness must not replenish them.
      { do: "hold windows" },
      send(get(1)),
    ],
    control: [...firstExchange],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, ...responses(1)] } }],
  },
  {
    id: "http2/responses-obey-windows",
    spec: "rfc9113#5.2.1",
    covers: ["rfc9113#5.2.1/sender-respects", "rfc9113#5.2.1/initial-windows", "rfc9113#6.9.1/not-beyond-window"],
    level: "MUST",
    role: "server",
    needs: ["body"],
    title: "The server keeps each of three responses within a window of 100 octets.",
    steps: [
      { do: "handshake", settings: [["INITIAL_WINDOW_SIZE", 100]] },
      send(get(1), get(3), get(5)),
      { do: "fence", by: "ping" },
      send(openStreamWindows),
    ],
    control: [handshake, send(get(1), get(3), get(5))],
    allowed: holds("flow-control"),
  },
];
