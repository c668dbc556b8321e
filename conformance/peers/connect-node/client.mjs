// The clients of @connectrpc/connect-node as an adapter of the suite rpc (conformance/rpc/README.md), in the dialects connect and grpc-web:
// descriptions on standard input, reports on standard output. Over HTTP/2 where a call needs it, and else over HTTP/1.1. Argument: descriptors.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(`${process.env.CONNECT_NODE ?? process.cwd()}/`);
const { compressionGzip, createConnectTransport, createGrpcWebTransport } = require("@connectrpc/connect-node");
const { ConnectError, createClient, decodeBinaryHeader, encodeBinaryHeader } = require("@connectrpc/connect");
const { createFileRegistry, fromBinary, fromJsonString, toBinary, toJsonString } = require("@bufbuild/protobuf");
const { FileDescriptorSetSchema, MethodOptions_IdempotencyLevel } = require("@bufbuild/protobuf/wkt");

const FEATURES = "streams bidi json get gzip deadline cancel details".split(" ");
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(process.argv[2])));
const SERVICE = registry.getService("touchstone.conformance.v1.Conformance");
const METHODS = { unary: "unary", "client-stream": "clientStream", "server-stream": "serverStream", bidi: "bidiStream" };
const isBinary = (name) => name.endsWith("-bin");

function pairs(headers) {
  return [...(headers ?? [])].flatMap(([name, joined]) =>
    isBinary(name)
      ? joined.split(",").map((value) => [name, Buffer.from(decodeBinaryHeader(value.trim())).toString("hex")])
      : [[name, joined]],
  );
}

/** A client with one method: any path has the messages of the service. */
function clientOf({ kind, path, get }, transport) {
  const [, typeName, name] = path.split("/");
  const service = { ...SERVICE, typeName };
  const { NO_SIDE_EFFECTS, IDEMPOTENCY_UNKNOWN } = MethodOptions_IdempotencyLevel;
  const method = {
    ...SERVICE.method[METHODS[kind]],
    name,
    localName: "call",
    parent: service,
    idempotency: get === true ? NO_SIDE_EFFECTS : IDEMPOTENCY_UNKNOWN,
  };
  service.methods = [method];
  service.method = { call: method };
  return { method, call: createClient(service, transport).call };
}

async function report(spec, transport, isJson) {
  const { kind, messages, metadata = [], timeoutMs, cancel } = spec;
  const { method, call } = clientOf(spec, transport);
  const requests = messages.map((hex) => {
    const octets = Buffer.from(hex, "hex");
    return isJson ? fromJsonString(method.input, octets.toString()) : fromBinary(method.input, octets);
  });
  const headers = new Headers();
  for (const [name, value] of metadata) headers.append(name, isBinary(name) ? encodeBinaryHeader(Buffer.from(value, "hex")) : value);
  const abort = new AbortController();
  const over = Promise.withResolvers();
  const got = { status: 0, message: "", headers: [], trailers: [], messages: [], details: [] };
  let turn = Promise.withResolvers();
  const take = (message) => {
    const octets = isJson ? Buffer.from(toJsonString(method.output, message)) : Buffer.from(toBinary(method.output, message));
    got.messages.push(octets.toString("hex"));
    turn.resolve();
    turn = Promise.withResolvers();
    if (cancel?.afterMessages === got.messages.length) abort.abort();
  };
  async function* stream() {
    for (const [at, request] of requests.entries()) {
      while (spec.turns === true && got.messages.length < at) await Promise.race([turn.promise, over.promise]);
      yield request;
    }
    if (spec.open === true) await over.promise;
  }
  const options = {
    headers,
    signal: abort.signal,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    onHeader: (all) => (got.headers = pairs(all)),
    onTrailer: (all) => (got.trailers = pairs(all)),
  };
  const timer = cancel?.afterMs === undefined ? undefined : setTimeout(() => abort.abort(), cancel.afterMs);
  const given = kind === "client-stream" || kind === "bidi" ? stream() : requests[0];
  try {
    const answer = call(given, options);
    if (kind === "server-stream" || kind === "bidi") for await (const message of answer) take(message);
    else take(await answer);
  } catch (error) {
    const { code, rawMessage, metadata: all, details } = ConnectError.from(error);
    Object.assign(got, { status: code, message: rawMessage });
    // An error has headers and trailers as one.
    if (got.trailers.length === 0) got.trailers = pairs(all);
    got.details = details.map(({ type, value }) => [type, Buffer.from(value ?? []).toString("hex")]);
  } finally {
    clearTimeout(timer);
    over.resolve();
  }
  return got;
}

async function answer({ target, dialect, channel = {}, rounds }) {
  const isJson = channel.format === "json";
  const calls = [];
  const all = rounds.flat();
  const options = {
    baseUrl: `http://${target}`,
    httpVersion: all.some(({ kind }) => kind === "bidi") ? "2" : "1.1",
    useBinaryFormat: !isJson,
    acceptCompression: [compressionGzip],
    compressMinBytes: 0,
    ...(all.some(({ encoding }) => encoding === "gzip") ? { sendCompression: compressionGzip } : {}),
  };
  const transport = dialect === "connect" ? createConnectTransport({ ...options, useHttpGet: true }) : createGrpcWebTransport(options);
  for (const round of rounds) calls.push(...(await Promise.all(round.map((spec) => report(spec, transport, isJson)))));
  return { calls };
}

// What a call leaves behind must not end the adapter.
process.on("unhandledRejection", () => {});
for await (const line of createInterface({ input: process.stdin })) {
  const { id, features, ...description } = JSON.parse(line);
  let found;
  try {
    found = features === true ? { features: FEATURES } : await answer(description);
  } catch (error) {
    found = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify({ id, ...found })}\n`);
}
