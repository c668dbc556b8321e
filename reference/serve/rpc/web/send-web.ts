import { type Body, type Content, Fields } from "../../../http/index.ts";
import { type AnyMethod, webCaller, type WebAnswered, type WebCallerSetup, type WebDialectName } from "../../../rpc/index.ts";
import type { AnyClientConnection } from "../../client/connection.ts";
import type { ClientRequest } from "../../client/request.ts";

/** The head of an answer, whose content is still arriving. */
export type Answered = { readonly status: number; readonly fields: Fields; readonly body: Body };
/** Sends the request of a call as HTTP/2 has it, and resolves to the answer in the same form. */
export type SendCall = (connection: AnyClientConnection, wanted: ClientRequest, method: AnyMethod) => Promise<Answered>;

const HEAD_OCTETS = 5;
/** The most octets of an error in JSON. */
const ERROR_OCTETS = 1_048_576;

/** Sends calls in a web dialect. */
export const sendWeb =
  (name: WebDialectName, setup: WebCallerSetup): SendCall =>
  async (connection, { fields, body, ...wanted }, method) => {
    const caller = webCaller(name, method, setup);
    const native = Fields.from(fields ?? []).list;
    const named = { ...wanted, fields: caller.fields(native).map((one) => [one.name, one.value] as const) };
    const response = await connection.request(
      caller.query === undefined
        ? { ...named, body: caller.isBare ? bareOf(body) : writtenBody(body!, caller.written) }
        : { ...named, method: "GET", path: `${wanted.path}?${caller.query(native, bareOf(body))}` },
    );
    const read = caller.answered(response.status, response.fields);
    if (read !== "error") return { status: read.status, fields: read.fields, body: translated(response.body, read) };
    const failed = caller.failed(response.status, response.fields, await response.body.bytes(ERROR_OCTETS));
    return { status: failed.status, fields: failed.fields, body: translated(undefined, failed) };
  };

/** The message of a unary request, which is whole. */
const bareOf = (body: Content | undefined): Uint8Array => (body instanceof Uint8Array ? body.subarray(HEAD_OCTETS) : new Uint8Array(0));

/** Content, written part by part. */
function writtenBody(body: Content, write: ((octets: Uint8Array) => Uint8Array) | undefined): Content {
  if (write === undefined || typeof body === "string") return body;
  if (body instanceof Uint8Array) return write(body);
  async function* parts(
    whole: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
    made: (octets: Uint8Array) => Uint8Array,
  ) {
    for await (const part of whole) yield typeof part === "string" ? part : made(part);
  }
  return parts(body, write);
}

/** Content with its trailers behind it, as HTTP/2 has it. */
function translated(body: Body | undefined, read: WebAnswered): Body {
  const trailers = Promise.withResolvers<Fields>();
  async function* octets(): AsyncGenerator<Uint8Array, undefined> {
    try {
      if (body !== undefined)
        for await (const chunk of body) {
          const part = read.receive(chunk);
          if (part.length > 0) yield part;
        }
      const { rest, trailers: last } = read.end();
      if (rest.length > 0) yield rest;
      trailers.resolve(last);
    } finally {
      // Nobody reads the rest.
      trailers.resolve(Fields.empty);
    }
    return undefined;
  }
  const refuse = (): never => {
    throw new Error("the content of a call is read message by message");
  };
  return { [Symbol.asyncIterator]: octets, trailers: trailers.promise, bytes: refuse, text: refuse };
}
