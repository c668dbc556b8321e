import { expectTypeOf, test } from "vitest";
import type { CallOptions, ServerCall } from "./call.ts";
import type { Codec, Implementation, Method, Service, ServiceClient } from "./service.ts";

type Ask = { readonly question: string };
type Answer = { readonly answer: number };

const ASK: Codec<Ask> = { encode: ({ question }) => Buffer.from(question), decode: (octets) => ({ question: String(octets) }) };
const ANSWER: Codec<Answer> = { encode: ({ answer }) => Uint8Array.of(answer), decode: ([answer = 0]) => ({ answer }) };
const method = <RequestStream extends boolean, ResponseStream extends boolean>(
  name: string,
  requestStream: RequestStream,
  responseStream: ResponseStream,
): Method<Ask, Answer, RequestStream, ResponseStream> => ({
  path: `/oracle.Oracle/${name}`,
  requestStream,
  responseStream,
  request: ASK,
  response: ANSWER,
});
const ORACLE = {
  name: "oracle.Oracle",
  methods: {
    one: method("One", false, false),
    gather: method("Gather", true, false),
    spread: method("Spread", false, true),
    chat: method("Chat", true, true),
  },
} satisfies Service;

test("an implementation and a client have the types of the four kinds", () => {
  type Server = Required<Implementation<typeof ORACLE>>;
  expectTypeOf<Server["one"]>().toEqualTypeOf<(request: Ask, call: ServerCall) => Answer | Promise<Answer>>();
  expectTypeOf<Server["gather"]>().toEqualTypeOf<(request: AsyncIterable<Ask>, call: ServerCall) => Answer | Promise<Answer>>();
  expectTypeOf<Server["spread"]>().toEqualTypeOf<(request: Ask, call: ServerCall) => AsyncIterable<Answer>>();
  expectTypeOf<Server["chat"]>().toEqualTypeOf<(request: AsyncIterable<Ask>, call: ServerCall) => AsyncIterable<Answer>>();

  type Client = ServiceClient<typeof ORACLE>;
  expectTypeOf<Client["one"]>().toEqualTypeOf<(request: Ask, options?: CallOptions) => Promise<Answer>>();
  expectTypeOf<Client["chat"]>().toEqualTypeOf<(request: AsyncIterable<Ask>, options?: CallOptions) => AsyncIterable<Answer>>();
});
