import type { Codec } from "../../rpc/index.ts";
import { messageType } from "../../rpc/message/index.ts";
import { Duration } from "../../rpc/message/well-known/index.ts";
import type { WatchCall } from "./server-watches.ts";

const REQUEST = messageType<{ readonly reportInterval: Duration }>({
  name: "xds.service.orca.v3.OrcaLoadReportRequest",
  fields: () => ({ reportInterval: { number: 1, type: Duration } }),
});
/** Policies read the reports themselves. */
const OCTETS: Codec<Uint8Array> = { encode: (octets) => octets, decode: (octets) => octets };
const MS_IN_SECOND = 1_000;

/** Passes on the reports that a server sends of its load, about this often (A51). One that has none is not asked again. */
export const loadWatch = (everyMs: number, report: (octets: Uint8Array) => void): WatchCall<Uint8Array> => ({
  method: {
    path: "/xds.service.orca.v3.OpenRcaService/StreamCoreMetrics",
    requestStream: false,
    responseStream: true,
    request: REQUEST,
    response: OCTETS,
  },
  request: REQUEST.encode({
    reportInterval: { seconds: BigInt(Math.floor(everyMs / MS_IN_SECOND)), nanos: Math.round((everyMs % MS_IN_SECOND) * 1_000_000) },
  }),
  received: report,
  absent: () => console.error("touchstone: a server has no reports of its load: its channel does not weigh it"),
  atOnce: false,
});
