import type { CallOptions, ServerCall } from "./call.ts";

/**
 * The typed description of a service: what generated code exports, what a server implements, and what a client calls. It knows nothing of the
 * language in which a contract is written.
 */

/**
 * Converts messages of one type. `decode` throws for octets that are not such a message. `Init` is what a message can be written from, if
 * that is less than what reading gives: absent fields are zero or empty.
 */
export type Codec<Message, Init = Message> = {
  encode(message: Init): Uint8Array;
  decode(octets: Uint8Array): Message;
  /** The canonical JSON of a message, as values of JavaScript; a codec without it has no JSON. */
  toJson?(message: Init): unknown;
  /** Throws for what is not such a message. Names that it does not know are ignored if the options say so. */
  fromJson?(json: never, options?: { readonly ignoreUnknown?: boolean }): Message;
};

/** The codec of a type whose messages are JSON in UTF-8; undefined if the type has no JSON. */
export function jsonCodec<Message, Init>(codec: Codec<Message, Init>): Codec<Message, Init> | undefined {
  const { toJson, fromJson } = codec;
  if (toJson === undefined || fromJson === undefined) return undefined;
  return {
    encode: (message) => ENCODER.encode(JSON.stringify(toJson.call(codec, message))),
    decode: (octets) => fromJson.call(codec, JSON.parse(DECODER.decode(octets)) as never, { ignoreUnknown: true }),
  };
}
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder("utf-8", { fatal: true });

/** A method. Its four kinds differ in whether each side sends one message or a stream of them. */
export type Method<
  Request,
  Response,
  RequestStream extends boolean,
  ResponseStream extends boolean,
  RequestInit = Request,
  ResponseInit = Response,
> = {
  /** `/package.Service/Method`: the path of its requests (rpc-http2#requests). */
  readonly path: string;
  readonly requestStream: RequestStream;
  readonly responseStream: ResponseStream;
  readonly request: Codec<Request, RequestInit>;
  readonly response: Codec<Response, ResponseInit>;
  /** What the contract promises about repetition. */
  readonly idempotency?: "no-side-effects" | "idempotent";
};
// oxlint-disable-next-line typescript/no-explicit-any -- a codec is neither co- nor contravariant
export type AnyMethod = Method<any, any, boolean, boolean, any, any>;

/** A service. The keys of its methods are the names that an implementation and a client use: `sayHello`. */
export type Service = {
  /** With its package: `package.Service`. */
  readonly name: string;
  readonly methods: Readonly<Record<string, AnyMethod>>;
  /** Its contract for server reflection: the encoded `FileDescriptorProto` of its file, and of every file that this one imports. */
  readonly descriptors?: Iterable<Uint8Array>;
};

/** One message, or a stream of them. */
type Messages<Message, Stream extends boolean> = Stream extends true ? AsyncIterable<Message> : Message;

/** Implements a method. What it throws becomes the status of the call: `CallFailed` as it is, anything else UNKNOWN. */
export type Handler<Of extends AnyMethod> =
  Of extends Method<infer Request, infer _Response, infer RequestStream, infer ResponseStream, infer _RequestInit, infer Response>
    ? (
        request: Messages<Request, RequestStream>,
        call: ServerCall,
      ) => ResponseStream extends true ? AsyncIterable<Response> : Response | Promise<Response>
    : never;

/** Implements a service. A method that is left out is UNIMPLEMENTED (rpc-status#codes). */
export type Implementation<Of extends Service> = { readonly [Name in keyof Of["methods"]]?: Handler<Of["methods"][Name]> };

/** Calls a method. A promise is rejected, and an iteration throws, with `CallFailed` unless the status is OK. */
export type Stub<Of extends AnyMethod> =
  Of extends Method<infer _Request, infer Response, infer RequestStream, infer ResponseStream, infer Request, infer _ResponseInit>
    ? (
        request: Messages<Request, RequestStream>,
        options?: CallOptions,
      ) => ResponseStream extends true ? AsyncIterable<Response> : Promise<Response>
    : never;

/** Calls a service. */
export type ServiceClient<Of extends Service> = { readonly [Name in keyof Of["methods"]]: Stub<Of["methods"][Name]> };
