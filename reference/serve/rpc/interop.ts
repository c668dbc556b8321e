import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { CallFailed, type MetadataEntry, type ServerCall, Status, statusName, type StatusCode } from "../../rpc/index.ts";
import { loadEntry, type LoadReports, type ServerLoad } from "./load-reports.ts";
import { servicesOf } from "./reflect.ts";
import { implement, type Implemented } from "./server.ts";

/**
 * The service that the interoperability tests of existing implementations call, with the parts of its messages that
 * those tests use.
 */
const CONTRACT = `
syntax = "proto3";
package grpc.testing;

message Empty {}
message Payload { int32 type = 1; bytes body = 2; }
message BoolValue { bool value = 1; }
message EchoStatus { int32 code = 1; string message = 2; }
message TestOrcaReport {
  double cpu_utilization = 1;
  double memory_utilization = 2;
  map<string, double> request_cost = 3;
  map<string, double> utilization = 4;
}
message SimpleRequest {
  int32 response_type = 1;
  int32 response_size = 2;
  Payload payload = 3;
  BoolValue response_compressed = 6;
  EchoStatus response_status = 7;
  bool fill_server_id = 9;
  TestOrcaReport orca_per_query_report = 11;
}
message SimpleResponse { Payload payload = 1; string server_id = 4; }
message StreamingInputCallRequest { Payload payload = 1; }
message StreamingInputCallResponse { int32 aggregated_payload_size = 1; }
message ResponseParameters { int32 size = 1; int32 interval_us = 2; BoolValue compressed = 3; }
message StreamingOutputCallRequest {
  int32 response_type = 1;
  repeated ResponseParameters response_parameters = 2;
  Payload payload = 3;
  EchoStatus response_status = 7;
  TestOrcaReport orca_oob_report = 8;
}
message StreamingOutputCallResponse { Payload payload = 1; }

service TestService {
  rpc EmptyCall(Empty) returns (Empty);
  rpc UnaryCall(SimpleRequest) returns (SimpleResponse);
  rpc StreamingOutputCall(StreamingOutputCallRequest) returns (stream StreamingOutputCallResponse);
  rpc StreamingInputCall(stream StreamingInputCallRequest) returns (StreamingInputCallResponse);
  rpc FullDuplexCall(stream StreamingOutputCallRequest) returns (stream StreamingOutputCallResponse);
  rpc HalfDuplexCall(stream StreamingOutputCallRequest) returns (stream StreamingOutputCallResponse);
  rpc UnimplementedCall(Empty) returns (Empty);
}
`;

type Payload = { readonly type: number; readonly body: Uint8Array };
type EchoStatus = { readonly code: number; readonly message: string };
type Flag = { readonly value: boolean };
type Report = {
  readonly cpuUtilization: number;
  readonly memoryUtilization: number;
  readonly requestCost: ReadonlyMap<string, number>;
  readonly utilization: ReadonlyMap<string, number>;
};
type SimpleRequest = {
  readonly responseType: number;
  readonly responseSize: number;
  readonly responseCompressed?: Flag;
  readonly responseStatus?: EchoStatus;
  readonly fillServerId: boolean;
  readonly orcaPerQueryReport?: Report | null;
};
type InputRequest = { readonly payload?: Payload };
type OutputRequest = {
  readonly responseType: number;
  readonly responseParameters: readonly { readonly size: number; readonly intervalUs: number; readonly compressed?: Flag }[];
  readonly responseStatus?: EchoStatus;
  readonly orcaOobReport?: Report | null;
};
type OutputResponse = { readonly payload: Payload };

/** The largest payload that a request may ask for. */
const LARGEST = 16_777_216;
/** The only type of payload: octets of zero. */
const COMPRESSABLE = 0;
const INITIAL = "x-grpc-test-echo-initial";
const TRAILING = "x-grpc-test-echo-trailing-bin";

/** The service of the interoperability tests, for a client. */
export const INTEROP = servicesOf(CONTRACT, "grpc/testing/test.proto").get("grpc.testing.TestService")!;

/** The service of the interoperability tests, for a server. Clients decide what it says of its load in `loads`. */
export function interop(loads?: LoadReports): Implemented {
  const serverId = randomUUID();
  return implement(INTEROP, {
    emptyCall: () => ({}),
    unaryCall: (request: SimpleRequest, call) => {
      const { orcaPerQueryReport: report } = request;
      echoMetadata(
        call,
        report === undefined || report === null ? [] : [loadEntry({ ...loadOf(report), requestCost: report.requestCost })],
      );
      echoStatus(request.responseStatus);
      if (request.responseCompressed !== undefined && request.responseCompressed !== null) call.compress(request.responseCompressed.value);
      const payload = payloadOf(request.responseType, request.responseSize);
      return request.fillServerId ? { payload, serverId } : { payload };
    },
    streamingOutputCall: outputs,
    streamingInputCall: async (requests: AsyncIterable<InputRequest>) => {
      let aggregatedPayloadSize = 0;
      for await (const { payload } of requests) aggregatedPayloadSize += payload?.body.length ?? 0;
      return { aggregatedPayloadSize };
    },
    async *fullDuplexCall(requests: AsyncIterable<OutputRequest>, call) {
      echoMetadata(call);
      for await (const request of requests) {
        if (request.orcaOobReport !== undefined && request.orcaOobReport !== null) loads?.set(loadOf(request.orcaOobReport));
        yield* outputs(request, call);
      }
    },
    async *halfDuplexCall(requests: AsyncIterable<OutputRequest>, call) {
      for (const request of await Array.fromAsync(requests)) yield* outputs(request, call);
    },
  });
}

async function* outputs(
  { responseType, responseParameters, responseStatus }: OutputRequest,
  call: ServerCall,
): AsyncGenerator<OutputResponse> {
  echoStatus(responseStatus);
  for (const { size, intervalUs, compressed } of responseParameters) {
    if (intervalUs > 0) await wait(intervalUs / 1_000, undefined, { signal: call.signal });
    if (compressed !== undefined && compressed !== null) call.compress(compressed.value);
    yield { payload: payloadOf(responseType, size) };
  }
}

function payloadOf(type: number, size: number): Payload {
  if (type !== COMPRESSABLE) throw new CallFailed(Status.INVALID_ARGUMENT, `There is no type of payload ${type}.`);
  if (size < 0 || size > LARGEST)
    throw new CallFailed(Status.INVALID_ARGUMENT, `A payload cannot have ${size} octets: at most ${LARGEST}.`);
  return { type, body: new Uint8Array(size) };
}
function echoStatus(status: EchoStatus | undefined | null): void {
  if (status === undefined || status === null || status.code === Status.OK) return;
  const code = status.code as StatusCode;
  throw new CallFailed(Status[statusName(code)], status.message);
}
const loadOf = ({ cpuUtilization, memoryUtilization: memUtilization, utilization }: Report): ServerLoad => ({
  cpuUtilization,
  memUtilization,
  utilization,
});
function echoMetadata(call: ServerCall, more: readonly MetadataEntry[] = []): void {
  const entries = (name: string): MetadataEntry[] => call.metadata.all(name).map((value) => ({ name, value }));
  const initial = entries(INITIAL);
  const trailing = [...entries(TRAILING), ...more];
  if (trailing.length > 0) call.setTrailers(trailing);
  if (initial.length > 0) call.sendHeaders(initial);
}
