import { deepStrictEqual as equal, rejects } from "node:assert/strict";
import { type CallOptions, LOAD_TRAILER, type Metadata, type Service, type ServiceClient, Status } from "../../rpc/index.ts";
import type { Channel } from "./client.ts";
import { INTEROP } from "./interop.ts";
import { LOAD_REPORTS, loadEntry, type ServerLoad } from "./load-reports.ts";

/** The cases of the interoperability tests for a client, by their known names. They call the interop service of any implementation. */

type Payload = { readonly body: Uint8Array };
type Output = { readonly payload: Payload };
type Stubs = {
  emptyCall(request: object, options?: CallOptions): Promise<object>;
  unaryCall(request: object, options?: CallOptions): Promise<{ readonly payload: Payload; readonly serverId: string }>;
  streamingInputCall(requests: AsyncIterable<object>, options?: CallOptions): Promise<{ readonly aggregatedPayloadSize: number }>;
  streamingOutputCall(request: object, options?: CallOptions): AsyncIterable<Output>;
  fullDuplexCall(requests: AsyncIterable<object>, options?: CallOptions): AsyncIterable<Output>;
  unimplementedCall(request: object, options?: CallOptions): Promise<object>;
};
type Case = (stubs: Stubs, channel: Channel, open: () => Channel) => Promise<void>;

const zeros = (size: number): Payload => ({ body: new Uint8Array(size) });
const LARGE = { responseSize: 314_159, payload: zeros(271_828) };
const SENT = [27_182, 8, 1_828, 45_904];
const WANTED = [31_415, 9, 2_653, 58_979];
const failsWith = (code: number, message?: string) => (error: unknown) => {
  const { status, message: got } = error as { readonly status?: number; readonly message: string };
  equal(status, code, `${String(status)}: ${got}`);
  if (message !== undefined) equal(got, message);
  return true;
};
async function* of(...requests: object[]): AsyncGenerator<object> {
  for (const request of requests) {
    await Promise.resolve();
    yield request;
  }
}
/** The responses, each of which permits the next request. */
async function turns(stubs: Stubs, options: CallOptions = {}): Promise<number[]> {
  let turn = Promise.withResolvers<void>();
  turn.resolve();
  const requests = async function* requests() {
    for (const [at, size] of SENT.entries()) {
      await turn.promise;
      turn = Promise.withResolvers();
      yield { responseParameters: [{ size: WANTED[at] }], payload: zeros(size) };
    }
    await turn.promise;
  };
  const sizes: number[] = [];
  for await (const { payload } of stubs.fullDuplexCall(requests(), options)) {
    sizes.push(payload.body.length);
    turn.resolve();
  }
  return sizes;
}

async function statusCodeAndMessage(stubs: Stubs, message: string): Promise<void> {
  const request = { responseStatus: { code: Status.UNKNOWN, message } };
  await rejects(stubs.unaryCall(request), failsWith(Status.UNKNOWN, message));
  await rejects(Array.fromAsync(stubs.fullDuplexCall(of(request))), failsWith(Status.UNKNOWN, message));
}

const UNKNOWN_SERVICE = (): Service => ({
  name: "grpc.testing.UnimplementedService",
  methods: { call: { ...INTEROP.methods["unimplementedCall"]!, path: "/grpc.testing.UnimplementedService/UnimplementedCall" } },
});

const SOAK_CALLS = 10;
const SOAK_CALL_MS = 30_000;
/** Large calls, one after the other. */
async function soak(stubsOf: () => Promise<Stubs> | Stubs): Promise<void> {
  for (let count = 0; count < SOAK_CALLS; count++) {
    const stubs = await stubsOf();
    equal((await stubs.unaryCall(LARGE, { timeoutMs: SOAK_CALL_MS })).payload.body.length, LARGE.responseSize);
  }
}

/** What the cases about reports of load make the server report. */
const LOAD = { cpuUtilization: 0.821, memoryUtilization: 0.5847, utilization: new Map([["util", 0.304_99]]) };
const LATER_LOAD = { cpuUtilization: 0.293_09, memoryUtilization: 0.2, utilization: new Map([["util", 0.2039]]) };
const REPORT_WITHIN_MS = 30_000;
const reportOf = ({ memoryUtilization, ...others }: typeof LOAD): ServerLoad => ({ ...others, memUtilization: memoryUtilization });
/** The octets of a report, with maps in one order: what two reports are compared by. */
const octetsOf = (load: ServerLoad): unknown => loadEntry(load).value;

/** Reads reports on their own stream until one is this load. */
async function reported(channel: Channel, wanted: ServerLoad): Promise<void> {
  const { streamCoreMetrics } = channel.client(LOAD_REPORTS) as ServiceClient<Service> as {
    streamCoreMetrics(request: object, options: CallOptions): AsyncIterable<ServerLoad>;
  };
  const asked = { reportInterval: { seconds: 1n } };
  for await (const load of streamCoreMetrics(asked, { timeoutMs: REPORT_WITHIN_MS }))
    if (Buffer.from(octetsOf(load) as Uint8Array).equals(octetsOf(wanted) as Uint8Array)) return;
  throw new Error("the stream of reports has ended");
}

const CASES: Readonly<Record<string, Case>> = {
  empty_unary: async (stubs) => {
    equal(Object.keys(await stubs.emptyCall({})), []);
  },
  large_unary: async (stubs) => {
    equal((await stubs.unaryCall(LARGE)).payload.body.length, 314_159);
  },
  client_streaming: async (stubs) => {
    const { aggregatedPayloadSize } = await stubs.streamingInputCall(of(...SENT.map((size) => ({ payload: zeros(size) }))));
    equal(aggregatedPayloadSize, 74_922);
  },
  server_streaming: async (stubs) => {
    const responses = await Array.fromAsync(stubs.streamingOutputCall({ responseParameters: WANTED.map((size) => ({ size })) }));
    equal(
      responses.map(({ payload }) => payload.body.length),
      WANTED,
    );
  },
  ping_pong: async (stubs) => {
    equal(await turns(stubs), WANTED);
  },
  empty_stream: async (stubs) => {
    equal(await Array.fromAsync(stubs.fullDuplexCall(of())), []);
  },
  cancel_after_begin: async (stubs) => {
    const stop = new AbortController();
    const never = async function* never(): AsyncGenerator<object> {
      await new Promise(() => {});
      yield {};
    };
    const call = stubs.streamingInputCall(never(), { signal: stop.signal });
    setTimeout(() => stop.abort(), 1);
    await rejects(call, failsWith(Status.CANCELLED));
  },
  cancel_after_first_response: async (stubs) => {
    const stop = new AbortController();
    const requests = async function* requests() {
      yield { responseParameters: [{ size: 31_415 }], payload: zeros(27_182) };
      await new Promise(() => {});
    };
    const responses = stubs.fullDuplexCall(requests(), { signal: stop.signal });
    await rejects(async () => {
      for await (const { payload } of responses) {
        equal(payload.body.length, 31_415);
        stop.abort();
      }
    }, failsWith(Status.CANCELLED));
  },
  timeout_on_sleeping_server: async (stubs) => {
    const requests = async function* requests() {
      yield { payload: zeros(27_182) };
      await new Promise(() => {});
    };
    await rejects(Array.fromAsync(stubs.fullDuplexCall(requests(), { timeoutMs: 1 })), failsWith(Status.DEADLINE_EXCEEDED));
  },
  custom_metadata: async (stubs) => {
    const value = "test_initial_metadata_value";
    const octets = Uint8Array.of(0xab, 0xab, 0xab);
    const seen: unknown[] = [];
    const options: CallOptions = {
      metadata: { "x-grpc-test-echo-initial": value, "x-grpc-test-echo-trailing-bin": octets },
      onHeaders: (metadata: Metadata) => seen.push(metadata.get("x-grpc-test-echo-initial")),
      onTrailers: (metadata: Metadata) => seen.push(metadata.get("x-grpc-test-echo-trailing-bin")),
    };
    await stubs.unaryCall(LARGE, options);
    equal(seen, [value, octets]);
    await turns(stubs, options);
    equal(seen, [value, octets, value, octets]);
  },
  status_code_and_message: (stubs) => statusCodeAndMessage(stubs, "test status message"),
  special_status_message: async (stubs) => {
    const message = "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n";
    await rejects(stubs.unaryCall({ responseStatus: { code: Status.UNKNOWN, message } }), failsWith(Status.UNKNOWN, message));
  },
  unimplemented_method: async (stubs) => {
    await rejects(stubs.unimplementedCall({}), failsWith(Status.UNIMPLEMENTED));
  },
  unimplemented_service: async (_, channel) => {
    const { call } = channel.client(UNKNOWN_SERVICE()) as Record<string, (request: object) => Promise<unknown>>;
    await rejects(call!({}), failsWith(Status.UNIMPLEMENTED));
  },
  pick_first_unary: async (stubs) => {
    const ids = new Set<string>();
    for (let count = 0; count < 100; count++)
      ids.add((await stubs.unaryCall({ responseSize: 1, payload: zeros(1), fillServerId: true })).serverId);
    equal(ids.has(""), false, "the server has not said its ID");
    equal(ids.size, 1);
  },
  rpc_soak: (stubs) => soak(() => stubs),
  channel_soak: async (_, _channel, open) => {
    const channels: Channel[] = [];
    await soak(() => stubsOf(channels[channels.push(open()) - 1]!));
    for (const channel of channels) await channel.close();
  },
  orca_per_rpc: async (stubs) => {
    const requestCost = new Map([["cost", 3_456.32]]);
    let report: unknown;
    await stubs.unaryCall(
      { orcaPerQueryReport: { ...LOAD, requestCost } },
      { onTrailers: (metadata) => (report = metadata.get(LOAD_TRAILER)) },
    );
    equal(report, octetsOf({ ...reportOf(LOAD), requestCost }));
  },
  orca_oob: async (stubs, channel) => {
    let turn = Promise.withResolvers<void>();
    const requests = async function* requests() {
      for (const orcaOobReport of [LOAD, LATER_LOAD]) {
        yield { orcaOobReport, responseParameters: [{ size: 1 }] };
        await turn.promise;
        turn = Promise.withResolvers();
      }
    };
    const loads = [LOAD, LATER_LOAD];
    for await (const _ of stubs.fullDuplexCall(requests())) {
      await reported(channel, reportOf(loads.shift()!));
      turn.resolve();
    }
    equal(loads, []);
  },
};

/** The names of the cases. */
export const INTEROP_CASES: readonly string[] = Object.keys(CASES);

const stubsOf = (channel: Channel): Stubs => channel.client(INTEROP) as unknown as Stubs;

/** Runs one case on a channel, or several, that `open` opens to the service; rejects with what is wrong. */
export async function runInteropCase(name: string, open: () => Channel): Promise<void> {
  await using channel = open();
  await CASES[name]!(stubsOf(channel), channel, open);
}
