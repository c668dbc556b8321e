// The conformance service (vectors/rpc/conformance.proto) on @connectrpc/connect-node, over HTTP/1.1 and HTTP/2. Arguments: port, descriptors.
import { readFileSync } from "node:fs";
import http1 from "node:http";
import http2 from "node:http2";
import net from "node:net";
import { createRequire } from "node:module";
import { setTimeout as wait } from "node:timers/promises";

const require = createRequire(`${process.env.CONNECT_NODE ?? process.cwd()}/`);
const { connectNodeAdapter } = require("@connectrpc/connect-node");
const { Code, ConnectError, encodeBinaryHeader, decodeBinaryHeader } = require("@connectrpc/connect");
const { createFileRegistry, fromBinary } = require("@bufbuild/protobuf");
const { FileDescriptorSetSchema, AnySchema } = require("@bufbuild/protobuf/wkt");

const [port, descriptors] = process.argv.slice(2);
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(descriptors)));
const service = registry.getService("touchstone.conformance.v1.Conformance");

const [UNKNOWN, RUNNING, ENDED, CANCELLED] = [0, 1, 2, 3];
const fates = new Map();
const isBinary = (name) => name.endsWith("-bin");
const add = (headers, fields) => {
  for (const { name, text, octets } of fields) headers.append(name, isBinary(name) ? encodeBinaryHeader(octets) : text);
};
const OWN = /^(?:te|content-.*|user-agent|host|accept.*|connection|transfer-encoding|connect-.*|grpc-.*|x-grpc-web)$/;
function seenBy(context) {
  const metadata = [];
  for (const [name, joined] of context.requestHeader) {
    if (OWN.test(name)) continue;
    // Headers are as HTTP has them: several values of a name are one.
    for (const value of joined.split(isBinary(name) ? /, ?/ : ", "))
      metadata.push(isBinary(name) ? { name, octets: decodeBinaryHeader(value) } : { name, text: value });
  }
  const left = context.timeoutMs();
  return { metadata, hasDeadline: left !== undefined, leftMs: BigInt(Math.max(0, Math.round(left ?? 0))) };
}

/** The details in an encoded google.rpc.Status: field 3, a google.protobuf.Any. */
function* detailsIn(octets) {
  for (let at = 0; at < octets.length;) {
    const tag = octets[at++];
    if ((tag & 7) === 0) {
      while (octets[at++] >= 128);
      continue;
    }
    const length = octets[at++];
    const part = octets.subarray(at, at + length);
    at += length;
    if (tag >> 3 !== 3) continue;
    const { typeUrl, value } = fromBinary(AnySchema, part);
    yield { type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1), value };
  }
}

class Course {
  fate = { state: RUNNING, requests: 0 };
  plan = undefined;
  hasSeen = false;
  constructor(context) {
    this.context = context;
  }
  async take({ plan }) {
    this.fate.requests += 1;
    if (this.fate.requests > 1 || !plan) return;
    this.plan = plan;
    if (plan.call !== "") {
      fates.set(plan.call, this.fate);
      this.context.signal.addEventListener("abort", () => this.end(CANCELLED));
    }
    add(this.context.responseHeader, plan.headers);
    add(this.context.responseTrailer, plan.trailers);
    if (plan.delayMs === 0) return;
    const { signal } = this.context;
    // The reason of the signal says why the call has ended: its deadline, or its client.
    await wait(plan.delayMs, undefined, { signal }).catch(() => {
      throw signal.reason;
    });
  }
  end(state) {
    if (this.fate.state === RUNNING) this.fate.state = state;
  }
  response(payload, number) {
    const size = this.plan?.responseOctets ?? 0;
    const seen = this.hasSeen ? undefined : seenBy(this.context);
    this.hasSeen = true;
    return { payload: size > 0 ? new Uint8Array(size) : payload, number, seen };
  }
  finish() {
    this.end(ENDED);
    const { status = 0, message = "", details = new Uint8Array(), throws = false } = this.plan ?? {};
    if (throws) throw new Error("a failure without a status");
    if (status === 0) return;
    const error = new ConnectError(message, status);
    error.details = [...detailsIn(details)];
    throw error;
  }
}

const handler = connectNodeAdapter({
  routes: (router) =>
    router.service(service, {
      async unary(request, context) {
        const course = new Course(context);
        await course.take(request);
        course.finish();
        return course.response(request.payload, 1);
      },
      async clientStream(requests, context) {
        const course = new Course(context);
        const parts = [];
        for await (const request of requests) {
          parts.push(request.payload);
          await course.take(request);
          if (course.plan?.early) break;
        }
        course.finish();
        return course.response(Buffer.concat(parts), parts.length);
      },
      async *serverStream(request, context) {
        const course = new Course(context);
        await course.take(request);
        for (let number = 1; number <= (course.plan?.responses ?? 0); number++) yield course.response(request.payload, number);
        course.finish();
      },
      async *bidiStream(requests, context) {
        const course = new Course(context);
        let number = 0;
        for await (const request of requests) {
          await course.take(request);
          yield course.response(request.payload, ++number);
          if (course.plan?.early) break;
        }
        course.finish();
      },
      fate: ({ call }) => fates.get(call) ?? { state: UNKNOWN, requests: 0 },
      missing: () => {
        throw new ConnectError("not implemented", Code.Unimplemented);
      },
    }),
});

// Both versions in clear text on one port: the first octets decide which server gets the connection.
const ports = await Promise.all(
  [http1.createServer(handler), http2.createServer(handler)].map(
    (server) => new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server.address().port))),
  ),
);
net
  .createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (first) => {
      const inner = net.connect(ports[first.toString("latin1", 0, 4) === "PRI " ? 1 : 0], "127.0.0.1");
      inner.on("error", () => socket.destroy());
      inner.on("close", () => socket.end());
      socket.on("close", () => inner.destroy());
      inner.setNoDelay(true).write(first);
      socket.setNoDelay(true).pipe(inner).pipe(socket);
    });
  })
  .listen(Number(port), "127.0.0.1", () => console.log("ready"));
