import type { Duplex } from "node:stream";
import type { FrameSpec } from "../../http2/vocabulary.ts";
import { Http2End } from "../../wire/http2/end.ts";
import { DEFAULTS } from "../../wire/http2/numbers.ts";
import { join, toLatin1 } from "../../wire/octets.ts";
import { type StreamFlaw, type StreamWire, Tunnels } from "./tunnels.ts";

const WINDOW = 2 ** 30;
/** Whether a connection begins with the HTTP/2 preface. */
export const isHttp2 = (octets: Uint8Array): boolean => toLatin1(octets.subarray(0, 4)) === "PRI ";

/** Serves an HTTP/2 connection: `accept` gets each WebSocket as if it came over HTTP/1.1. */
export function serveHttp2(socket: Duplex, flaw: StreamFlaw, accept: (tunnel: Duplex) => void): void {
  const end = new Http2End(socket, {
    we: "server",
    replenishAfter: Number.POSITIVE_INFINITY,
    on: {
      frame: ({ type, stream, data, endStream }, section) => {
        if (section?.of === "HEADERS") tunnels.open(section.stream, section.fields);
        else if (type === "DATA") {
          tunnels.received(stream, data ?? new Uint8Array());
          if (endStream === true) tunnels.ended(stream);
        } else if (type === "RST_STREAM") tunnels.reset(stream);
      },
    },
  });
  const send = (spec: FrameSpec): void => void end.send([spec]);
  const wire: StreamWire = {
    head: (stream, fields) => send({ type: "HEADERS", stream, flags: ["END_HEADERS"], fields }),
    data: (stream, octets) => {
      for (let at = 0; at < octets.length; at += DEFAULTS.maxFrameSize) {
        const data = octets.subarray(at, at + DEFAULTS.maxFrameSize);
        end.octets(join([end.build([{ type: "DATA", stream, length: data.length }]), data]));
      }
    },
    end: (stream) => send({ type: "DATA", stream, flags: ["END_STREAM"] }),
    reset: (stream, isMalformed) => send({ type: "RST_STREAM", stream, code: isMalformed ? "PROTOCOL_ERROR" : "CANCEL" }),
    close: () => socket.end(),
  };
  const tunnels = new Tunnels(wire, flaw, accept);
  const settings: FrameSpec["settings"] = [["INITIAL_WINDOW_SIZE", WINDOW]];
  const announced: FrameSpec["settings"] = flaw.announces === false ? settings : [...settings, ["ENABLE_CONNECT_PROTOCOL", 1]];
  void end.preface("", { type: "SETTINGS", settings: announced });
  send({ type: "WINDOW_UPDATE", increment: WINDOW });
  socket.on("end", () => socket.end());
  socket.once("close", () => tunnels.closed());
}
