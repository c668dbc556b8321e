import type { Fields } from "../../http/index.ts";
import type { CallStatus } from "../call-status.ts";
import type { Envelope } from "../envelope.ts";
import type { AnyMethod } from "../service.ts";

/**
 * A server translates the calls of a web dialect: a request becomes one as HTTP/2 has it, with messages in their envelopes, and the answer
 * with its trailers is written as the dialect wants it. Nothing here performs I/O.
 */

/** Finds the method at a path. */
export type FindMethod = (path: string) => AnyMethod | undefined;

/** An answer that is known as a whole. */
export type WholeAnswer = { readonly status: number; readonly fields: Fields; readonly body: Uint8Array };

/** What a server makes of the head of a request in a web dialect. */
export type WebOpening = { readonly is: "answer"; readonly answer: WholeAnswer } | WebCall;
export type WebCall = {
  readonly is: "call";
  readonly path: string;
  /** As the dialect of HTTP/2 writes them. */
  readonly fields: Fields;
  readonly content: WebContent;
  readonly answer: WebAnswer;
};

/** Translates the content of a request into messages in their envelopes, wherever it is cut. */
export interface WebContent {
  receive(octets: Uint8Array): Uint8Array;
  /** What is left at the end of the content. */
  end(): Uint8Array;
}

/** Translates the answer of a call. Headers and trailers are those of HTTP/2. */
export type WebAnswer = {
  /** The call ended without a message. */
  failed(headers: Fields, trailers: Fields): WholeAnswer;
  /** The call ends with this status before, or instead of, any answer of its method. */
  refused(status: CallStatus): WholeAnswer;
  /** Trailers with this status, for a call that ends inside its messages. */
  ended(status: CallStatus): Fields;
} & (
  | {
      /** Messages leave when they are there. The HTTP status is 200. */
      readonly is: "stream";
      headers(headers: Fields): Fields;
      messages(envelopes: Uint8Array): Uint8Array;
      end(trailers: Fields): Uint8Array;
    }
  | {
      /** The HTTP status depends on the end of the call. */
      readonly is: "whole";
      succeeded(headers: Fields, message: Envelope, trailers: Fields): WholeAnswer;
    }
);

/** Content that has the form of HTTP/2 already. */
export const UNCHANGED: WebContent = { receive: (octets) => octets, end: () => NOTHING };
export const NOTHING: Uint8Array = new Uint8Array(0);

/** The path of a request without its query. */
export const pathOf = (target: string): string => (target.includes("?") ? target.slice(0, target.indexOf("?")) : target);
