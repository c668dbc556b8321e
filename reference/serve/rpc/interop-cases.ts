import { deepStrictEqual as equal, rejects } from "node:assert/strict";
import { type CallOptions, type Metadata, type Service, Status } from "../../rpc/index.ts";
import type { Channel } from "./client.ts";
import { INTEROP } from "./interop.ts";

/** The cases of the interoperability tests for a client, by their known names. They call the interop service of any implementation. */

type Payload = { readonly body: Uint8Array };
type Output = { readonly payload: Payload };
type Stubs = {
  emptyCall(request: object, options?: CallOptions): Promise<object>;
  unaryCall(request: object, options?: CallOptions): Promise<{ readonly payload: Payload }>;
  streamingInputCall(requests: AsyncIterable<object>, options?: CallOptions): Promise<{ readonly aggregatedPayloadSize: number }>;
  streamingOutputCall(request: object, options?: CallOptions): AsyncIterable<Output>;
  fullDuplexCall(requests: AsyncIterable<object>, options?: CallOptions): AsyncIterable<Output>;
  unimplementedCall(request: object, options?: CallOptions): Promise<object>;
};
type Case = (stubs: Stubs, channel: Channel) => Promise<void>;

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
};

/** The names of the cases. */
export const INTEROP_CASES: readonly string[] = Object.keys(CASES);

/** Runs one case; rejects with what is wrong. */
export async function runInteropCase(name: string, channel: Channel): Promise<void> {
  await CASES[name]!(channel.client(INTEROP) as unknown as Stubs, channel);
}
