import { setTimeout as wait } from "node:timers/promises";
import { field } from "../../../reference/core/index.ts";
import { Fields, type Request } from "../../../reference/http/index.ts";
import type { AnyMessage } from "../../../reference/rpc/contract/index.ts";
import { implement, type Implemented, rpcHandler, type ServerCall } from "../../../reference/serve/rpc/index.ts";
import { serve } from "../../../reference/serve/index.ts";
import { type Any, Contract, entriesOf, type Failure, type Header, headersOf } from "./contract.ts";
import { messagesFrom, writeMessage } from "./framing.ts";

/** Our server for the runner: reads what to be, serves, says where. `node server.ts FOLDER-OF-THE-CONTRACT`. */

type Answer = { readonly is: "responseData"; readonly value: Uint8Array } | { readonly is: "error"; readonly value: Failure } | undefined;
type Definition = {
  readonly responseHeaders: readonly Header[];
  readonly responseTrailers: readonly Header[];
  readonly responseDelayMs: number;
};
type UnaryDefinition = Definition & { readonly response: Answer };
type StreamDefinition = Definition & { readonly responseData: readonly Uint8Array[]; readonly error?: Failure };
type Unary = { readonly responseDefinition?: UnaryDefinition };
type Streamed = { readonly responseDefinition?: StreamDefinition };
type Bidi = Streamed & { readonly fullDuplex: boolean };
type Info = {
  readonly requestHeaders: readonly Header[];
  readonly timeoutMs?: bigint;
  readonly requests: readonly Any[];
  readonly connectGetInfo?: object;
};

/** The field that carries the path and query of a GET request to its handler, which reports the query to the runner. */
const GET_FIELD = "x-touchstone-get";

const contract = new Contract(process.argv[2] ?? ".");

function infoOf(call: ServerCall, requests: readonly Any[]): Info {
  const { deadline, metadata } = call;
  const address = metadata.get(GET_FIELD);
  const query = typeof address === "string" ? [...new URL(address, "http://localhost").searchParams] : undefined;
  return {
    requestHeaders: headersOf([...metadata].filter(({ name }) => name !== GET_FIELD)),
    ...(deadline === undefined ? {} : { timeoutMs: BigInt(Math.max(0, Math.ceil(deadline - performance.now()))) }),
    requests,
    ...(query === undefined ? {} : { connectGetInfo: { queryParams: query.map(([name, value]) => ({ name, value: [value] })) } }),
  };
}
const infoDetail = (info: Info): Any => contract.pack("ConformancePayload.RequestInfo", info as AnyMessage);

function begin(call: ServerCall, definition: Definition | undefined): void {
  if (definition === undefined) return;
  call.setTrailers(entriesOf(definition.responseTrailers));
  call.sendHeaders(entriesOf(definition.responseHeaders));
}
const paused = (call: ServerCall, definition: Definition | undefined): Promise<void> =>
  definition === undefined || definition.responseDelayMs === 0
    ? Promise.resolve()
    : wait(definition.responseDelayMs, undefined, { signal: call.signal });

/** The one response of a call, or its failure. */
async function whole(call: ServerCall, definition: UnaryDefinition | undefined, requests: readonly Any[]): Promise<AnyMessage> {
  const info = infoOf(call, requests);
  begin(call, definition);
  await paused(call, definition);
  const answer = definition?.response;
  if (answer?.is === "error") throw contract.thrown(answer.value, [infoDetail(info)]);
  return { payload: { data: answer?.value ?? new Uint8Array(), requestInfo: info } };
}
const packed = (name: string, request: object): Any => contract.pack(name, request as AnyMessage);

const service: Implemented = implement(contract.service, {
  unary: (request: Unary, call: ServerCall) => whole(call, request.responseDefinition, [packed("UnaryRequest", request)]),
  idempotentUnary: (request: Unary, call: ServerCall) =>
    whole(call, request.responseDefinition, [packed("IdempotentUnaryRequest", request)]),
  clientStream: async (requests: AsyncIterable<Unary>, call: ServerCall) => {
    const all = await Array.fromAsync(requests);
    return whole(
      call,
      all[0]?.responseDefinition,
      all.map((one) => packed("ClientStreamRequest", one)),
    );
  },
  async *serverStream(request: Streamed, call: ServerCall) {
    const { responseDefinition: definition } = request;
    begin(call, definition);
    yield* responses(call, definition, [packed("ServerStreamRequest", request)]);
  },
  async *bidiStream(requests: AsyncIterable<Bidi>, call: ServerCall) {
    let definition: StreamDefinition | undefined;
    let isFirst = true;
    let isFull = false;
    let sent = 0;
    let seen: Any[] = [];
    for await (const request of requests) {
      if (isFirst) {
        definition = request.responseDefinition;
        isFull = request.fullDuplex;
        begin(call, definition);
      }
      isFirst = false;
      seen.push(packed("BidiStreamRequest", request));
      if (!isFull) continue;
      if (definition === undefined || sent >= definition.responseData.length) break;
      await paused(call, definition);
      const info = sent === 0 ? infoOf(call, seen) : { requestHeaders: [], requests: seen };
      yield { payload: { data: definition.responseData[sent], requestInfo: info } };
      sent += 1;
      seen = [];
    }
    const rest = definition === undefined ? undefined : { ...definition, responseData: definition.responseData.slice(sent) };
    yield* responses(call, rest, sent === 0 ? seen : undefined);
  },
});

/** The responses of a definition; the first one, or else the failure, says what the requests were. */
async function* responses(
  call: ServerCall,
  definition: StreamDefinition | undefined,
  requests: readonly Any[] | undefined,
): AsyncGenerator<AnyMessage> {
  if (definition === undefined) return;
  let info = requests === undefined ? undefined : infoOf(call, requests);
  for (const data of definition.responseData) {
    await paused(call, definition);
    yield { payload: { data, ...(info === undefined ? {} : { requestInfo: info }) } };
    info = undefined;
  }
  if (definition.error !== undefined) throw contract.thrown(definition.error, info === undefined ? [] : [infoDetail(info)]);
}

const DIALECTS = { 1: "connect", 2: "grpc", 3: "grpc-web" } as const;
const HTTP1 = 1;
type Wanted = {
  readonly protocol: keyof typeof DIALECTS;
  readonly httpVersion: number;
  readonly useTls: boolean;
  readonly clientTlsCert: Uint8Array;
  readonly messageReceiveLimit: number;
  readonly serverCreds?: { readonly cert: Uint8Array; readonly key: Uint8Array };
};

const headOf = ({ method, path, version, scheme, authority, body }: Request): Omit<Request, "fields"> => ({
  method,
  path,
  version,
  scheme,
  authority,
  body,
});

for await (const octets of messagesFrom(process.stdin)) {
  const wanted = contract.type("ServerCompatRequest").decode(octets) as unknown as Wanted;
  const { protocol, httpVersion, useTls, clientTlsCert, messageReceiveLimit, serverCreds } = wanted;
  const handler = rpcHandler([service], {
    dialect: DIALECTS[protocol],
    ...(messageReceiveLimit === 0 ? {} : { maxMessageOctets: messageReceiveLimit }),
    onCallError: (error) => {
      if (!(error instanceof Error && error.name === "AbortError")) console.error(error);
    },
  });
  const server = await serve(
    (request, exchange) =>
      handler(
        request.method === "GET"
          ? { ...headOf(request), fields: new Fields([...request.fields.list, field(GET_FIELD, request.path)]) }
          : request,
        exchange,
      ),
    {
      alpn: [httpVersion === HTTP1 ? "http/1.1" : "h2"],
      graceMs: 0,
      ...(useTls && serverCreds !== undefined
        ? {
            tls: {
              cert: Buffer.from(serverCreds.cert).toString(),
              key: Buffer.from(serverCreds.key).toString(),
              ...(clientTlsCert.length === 0 ? {} : { ca: Buffer.from(clientTlsCert).toString() }),
            },
          }
        : {}),
    },
  );
  const { port } = new URL(server.url);
  writeMessage(
    contract
      .type("ServerCompatResponse")
      .encode({ host: "127.0.0.1", port: Number(port), pemCert: useTls ? (serverCreds?.cert ?? new Uint8Array()) : new Uint8Array() }),
  );
}
