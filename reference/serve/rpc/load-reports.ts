import { setTimeout as wait } from "node:timers/promises";
import { CallFailed, LOAD_TRAILER, type MetadataEntry, type ServerCall, Status } from "../../rpc/index.ts";
import { servicesOf } from "./reflect.ts";
import { implement, type Implemented } from "./server.ts";

const REPORT_FILE = "xds/data/orca/v3/orca_load_report.proto";
const REPORT = `
syntax = "proto3";
package xds.data.orca.v3;

message OrcaLoadReport {
  double cpu_utilization = 1;
  double mem_utilization = 2;
  uint64 rps = 3 [deprecated = true];
  map<string, double> request_cost = 4;
  map<string, double> utilization = 5;
  double rps_fractional = 6;
  double eps = 7;
  map<string, double> named_metrics = 8;
  double application_utilization = 9;
}
`;
const CONTRACT = `
syntax = "proto3";
package xds.service.orca.v3;

import "google/protobuf/duration.proto";
import "${REPORT_FILE}";

message OrcaLoadReportRequest {
  google.protobuf.Duration report_interval = 1;
  repeated string request_cost_names = 2;
}

service OpenRcaService {
  rpc StreamCoreMetrics(OrcaLoadReportRequest) returns (stream xds.data.orca.v3.OrcaLoadReport);
}
`;

/** What a server says of its load (A51): for balancers, which send it more or fewer calls. Names of maps are the server's own. */
export type ServerLoad = {
  /** The share of its processors that is in use; above 1 if there is more work than they can do. */
  readonly cpuUtilization?: number;
  /** The share of its memory that is in use. */
  readonly memUtilization?: number;
  /** The share of whatever limits it; counts in place of that of the processors. */
  readonly applicationUtilization?: number;
  /** Calls a second, and those of them that fail. */
  readonly rpsFractional?: number;
  readonly eps?: number;
  /** Shares of further resources that are in use. */
  readonly utilization?: ReadonlyMap<string, number>;
  readonly namedMetrics?: ReadonlyMap<string, number>;
  /** What one call cost; only of use in the report of that call. */
  readonly requestCost?: ReadonlyMap<string, number>;
};

type Asked = { readonly reportInterval?: { readonly seconds: bigint; readonly nanos: number } | null };

/** The shortest time between two reports on a stream, by default. */
const LEAST_MS = 30_000;
/** The longest time of a timer. */
const LONGEST_MS = 0x7fff_ffff;
/** The most streams at a time; further ones are RESOURCE_EXHAUSTED. */
const STREAMS = 10_000;

/** The service of reports on streams, for a client. */
export const LOAD_REPORTS = servicesOf(CONTRACT, "xds/service/orca/v3/orca.proto", { [REPORT_FILE]: REPORT }).get(
  "xds.service.orca.v3.OpenRcaService",
)!;

/** The load during one call, for its trailers: `call.setTrailers([loadEntry({ … })])`. */
export const loadEntry = (load: ServerLoad): MetadataEntry => ({
  name: LOAD_TRAILER,
  value: LOAD_REPORTS.methods["streamCoreMetrics"]!.response.encode(load),
});

/** The load of a server, for clients that want reports on a stream of their own (A51). */
export class LoadReports {
  readonly #leastMs: number;
  #load: ServerLoad = {};
  #streams = 0;

  /** `leastIntervalMs`: clients that want reports more often get them this often; 30 s by default. */
  constructor({ leastIntervalMs = LEAST_MS }: { readonly leastIntervalMs?: number } = {}) {
    this.#leastMs = Math.max(1, leastIntervalMs);
  }

  /** States the whole load: what is left out is not reported any more. */
  set(load: ServerLoad): void {
    this.#load = load;
  }

  /** The service that reports it. */
  service(): Implemented {
    return implement(LOAD_REPORTS, { streamCoreMetrics: (asked: Asked, call: ServerCall) => this.#report(asked, call) });
  }

  /** The load now, and again and again. */
  async *#report({ reportInterval }: Asked, { signal }: ServerCall): AsyncGenerator<ServerLoad> {
    if (this.#streams >= STREAMS) throw new CallFailed(Status.RESOURCE_EXHAUSTED, `There are ${STREAMS} streams of reports already.`);
    const wanted = Number(reportInterval?.seconds ?? 0) * 1_000 + (reportInterval?.nanos ?? 0) / 1_000_000;
    const everyMs = Math.min(LONGEST_MS, Math.max(this.#leastMs, wanted));
    this.#streams += 1;
    try {
      for (;;) {
        const load = this.#load;
        yield load;
        await wait(everyMs, undefined, { signal, ref: false });
      }
    } finally {
      this.#streams -= 1;
    }
  }
}
