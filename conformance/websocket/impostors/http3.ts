import type { Duplex } from "node:stream";
import { Http3End, type Observed } from "../../wire/http3/end.ts";
import type { LineEvents, QuicLine } from "../../wire/quic/line.ts";
import { type StreamFlaw, type StreamWire, Tunnels } from "./tunnels.ts";

/** Serves an HTTP/3 connection: `accept` gets each WebSocket as if it came over HTTP/1.1. */
export function serveHttp3(line: QuicLine, flaw: StreamFlaw, accept: (tunnel: Duplex) => void): LineEvents {
  const end = new Http3End(line, { we: "server", on: (observed) => seen(tunnels, observed) });
  const wire: StreamWire = {
    head: (stream, fields) => end.send(stream, [{ type: "HEADERS", fields }]),
    data: (stream, octets) => {
      if (octets.length > 0) end.content(stream, octets);
    },
    end: (stream) => end.finish(stream),
    reset: (stream, isMalformed) => end.reset(stream, isMalformed ? "H3_MESSAGE_ERROR" : "H3_REQUEST_CANCELLED"),
    close: () => end.close("H3_NO_ERROR"),
  };
  const tunnels = new Tunnels(wire, flaw, accept);
  return (event) => {
    end.receive(event);
    if (event.is !== "established") return;
    const control = end.open("unidirectional");
    if (control === undefined) return;
    end.begin(control, "control");
    end.send(control, [{ type: "SETTINGS", settings: flaw.announces === false ? [] : [["ENABLE_CONNECT_PROTOCOL", 1]] }]);
  };
}

function seen(tunnels: Tunnels, observed: Observed): void {
  switch (observed.is) {
    case "frame":
      if (observed.frame.type === "HEADERS") tunnels.open(observed.stream, observed.fields ?? []);
      else if (observed.frame.type === "DATA") tunnels.received(observed.stream, observed.frame.payload);
      break;
    case "end":
      tunnels.ended(observed.stream);
      break;
    case "reset":
      tunnels.reset(observed.stream);
      break;
    case "closed":
      tunnels.closed();
      break;
    default:
    // Nothing else concerns a WebSocket.
  }
}
