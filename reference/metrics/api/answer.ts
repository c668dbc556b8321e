import type { Content, Response } from "../../http/index.ts";

/** Why a request was refused, by the published names, with the status that goes with each (querying/api.md, "Format overview"). */
export const ERROR_STATUS = {
  bad_data: 400,
  execution: 422,
  canceled: 499,
  timeout: 503,
  internal: 500,
  unavailable: 503,
  not_found: 404,
  not_acceptable: 406,
} as const;
/** `errorType` in the envelope of an error. */
export type ErrorType = keyof typeof ERROR_STATUS;

/** Ends a request with an answer: thrown by what reads parameters and by what is asked for, caught by the routes. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly type: ErrorType;

  constructor(type: ErrorType, message: string) {
    super(message);
    this.type = type;
  }
}

/** What a request is answered with: data that is JSON already where it is large, and what was remarked on the way. */
export type Answer = {
  readonly data: Json | unknown;
  readonly warnings?: readonly string[];
  readonly infos?: readonly string[];
};

/** Text that is JSON, in pieces that are written as they are sent: a large result is never one text. */
export class Json {
  readonly pieces: Iterable<string>;

  constructor(pieces: Iterable<string>) {
    this.pieces = pieces;
  }
}

const TYPE = ["content-type", "application/json"] as const;

/** The envelope around what was asked for. */
export function success({ data, warnings = [], infos = [] }: Answer): Response {
  const tail = [...listed("warnings", warnings), ...listed("infos", infos), "}"].join("");
  const pieces = data instanceof Json ? data.pieces : data === undefined ? [] : [JSON.stringify(data)];
  const begin = `{"status":"success"${data === undefined ? "" : ',"data":'}`;
  return { status: 200, fields: [TYPE], body: content(enveloped(begin, pieces, tail)) };
}

/** The envelope around a refusal. */
export function failure({ type, message }: Pick<ApiError, "type" | "message">): Response {
  return {
    status: ERROR_STATUS[type],
    fields: [TYPE],
    body: JSON.stringify({ status: "error", errorType: type, error: message }),
  };
}

const listed = (name: string, texts: readonly string[]): string[] => (texts.length === 0 ? [] : [`,"${name}":${JSON.stringify(texts)}`]);

function* enveloped(begin: string, pieces: Iterable<string>, tail: string): Generator<string, undefined> {
  yield begin;
  yield* pieces;
  yield tail;
  return undefined;
}

/** So many characters are written at once. */
const PIECE = 1 << 16;

/** What is short is there at once. */
function content(pieces: Generator<string, undefined>): Content {
  const first = gathered(pieces);
  return first.isLast ? first.text : rest(first.text, pieces);
}

// oxlint-disable-next-line typescript/require-await -- content that comes by and by is asynchronous
async function* rest(first: string, pieces: Generator<string, undefined>): AsyncGenerator<string> {
  yield first;
  for (;;) {
    const { text, isLast } = gathered(pieces);
    yield text;
    if (isLast) return;
  }
}

function gathered(pieces: Generator<string, undefined>): { readonly text: string; readonly isLast: boolean } {
  const some: string[] = [];
  for (let length = 0; length < PIECE;) {
    const { done, value } = pieces.next();
    if (done === true) return { text: some.join(""), isLast: true };
    some.push(value);
    length += value.length;
  }
  return { text: some.join(""), isLast: false };
}
