import { type Body, Fields, type Request, type Response } from "../../../http/index.ts";
import {
  type CallStatus,
  type Dialect,
  EnvelopeReader,
  Status,
  type WebAnswer,
  type WebCall,
  type WebOpening,
} from "../../../rpc/index.ts";
import type { Exchange, Handler } from "../../handler.ts";

/** How the heads of requests are read in a web dialect. */
export type OpenWebCall = (request: Request) => WebOpening;

/** Answers calls of a web dialect with a handler for the dialect of HTTP/2 into which they are translated. */
export function webHandler(open: OpenWebCall, { dialect, handler }: { readonly dialect: Dialect; readonly handler: Handler }): Handler {
  return (request, exchange) => {
    const opening = open(request);
    if (opening.is === "call") return new Translated(opening, dialect, exchange).run(request, handler);
    // Nobody reads the request.
    void request.body[Symbol.asyncIterator]().return?.();
    return opening.answer;
  };
}

const LATE: CallStatus = { code: Status.DEADLINE_EXCEEDED, message: "The deadline of the call has passed." };

/** One call between the two dialects. */
class Translated {
  readonly #call: WebCall;
  readonly #dialect: Dialect;
  readonly #exchange: Exchange;
  /** The deadline has passed: a client of a web dialect gets an answer, since it cannot be reset. */
  readonly #late = Promise.withResolvers<"late">();
  #isLate = false;

  constructor(call: WebCall, dialect: Dialect, exchange: Exchange) {
    this.#call = call;
    this.#dialect = dialect;
    this.#exchange = exchange;
  }

  async run(request: Request, handler: Handler): Promise<Response> {
    const { path, fields, content, answer } = this.#call;
    const inner: Request = { ...headOf(request), method: "POST", path, fields, body: translatedBody(request.body, content) };
    const response = await Promise.race([handler(inner, this.#inner()), this.#late.promise]);
    if (response === "late" || this.#isLate) return answer.refused(LATE);
    return answer.is === "whole" ? this.#whole(response, answer) : this.#stream(response, answer);
  }

  async #stream(response: Response, answer: Extract<WebAnswer, { is: "stream" }>): Promise<Response> {
    const fields = fieldsOf(response);
    if (response.body === undefined) return answer.failed(...this.#split(fields));
    return { status: 200, fields: answer.headers(fields), body: this.#messages(response, answer) };
  }
  async *#messages(response: Response, answer: Extract<WebAnswer, { is: "stream" }>): AsyncGenerator<Uint8Array, undefined> {
    const iterator = chunksOf(response)[Symbol.asyncIterator]();
    let isOver = false;
    try {
      for (;;) {
        const step = await Promise.race([iterator.next(), this.#late.promise]);
        if (step === "late" || this.#isLate) {
          yield answer.end(answer.ended(LATE));
          return undefined;
        }
        if (step.done === true) break;
        yield answer.messages(step.value);
      }
      isOver = true;
      yield answer.end(trailersOf(response));
    } finally {
      // The client has left, or the handler is late and may never answer.
      if (!isOver) void iterator.return?.(undefined)?.catch(() => {});
    }
    return undefined;
  }

  async #whole(response: Response, answer: Extract<WebAnswer, { is: "whole" }>): Promise<Response> {
    const fields = fieldsOf(response);
    if (response.body === undefined) return answer.failed(...this.#split(fields));
    const messages: { isCompressed: boolean; octets: Uint8Array }[] = [];
    const gathered = (async () => {
      // The messages are our own.
      const reader = new EnvelopeReader(Number.POSITIVE_INFINITY);
      for await (const chunk of chunksOf(response)) reader.receive(Uint8Array.from(chunk), messages);
    })();
    if ((await Promise.race([gathered, this.#late.promise])) === "late" || this.#isLate) return answer.refused(LATE);
    const [message] = messages;
    const trailers = trailersOf(response);
    return message === undefined ? answer.failed(fields, trailers) : answer.succeeded(fields, message, trailers);
  }

  /** Headers and trailers that stand in one section: the trailers begin with the status. */
  #split(fields: Fields): [headers: Fields, trailers: Fields] {
    const at = fields.list.findIndex(({ name }) => name === this.#dialect.status);
    return [new Fields(fields.list.slice(0, at)), new Fields(fields.list.slice(at))];
  }

  /** The exchange as the handler sees it: what would reset a stream is the deadline. */
  #inner(): Exchange {
    const outer = this.#exchange;
    return {
      get signal() {
        return outer.signal;
      },
      connection: outer.connection,
      stream: outer.stream,
      upgrade: [],
      closing: outer.closing,
      interim: (status, fields) => outer.interim(status, fields),
      push: () => false,
      switchTo: (status, fields, take) => outer.switchTo(status, fields, take),
      reset: () => {
        this.#isLate = true;
        this.#late.resolve("late");
      },
    };
  }
}

const headOf = ({ version, scheme, authority }: Request): Pick<Request, "version" | "scheme" | "authority"> => ({
  version,
  scheme,
  authority,
});
const fieldsOf = ({ fields }: Response): Fields => (fields instanceof Fields ? fields : Fields.from(fields ?? []));
function trailersOf({ trailers }: Response): Fields {
  const given = typeof trailers === "function" ? trailers() : (trailers ?? []);
  return given instanceof Fields ? given : Fields.from(given);
}

async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array, undefined> {
  if (body instanceof Uint8Array) yield body;
  else if (typeof body === "object") for await (const chunk of body) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
  return undefined;
}

/** The content of a request, translated while it is read. Leaving it early leaves the original, too. */
function translatedBody(body: Body, content: WebCall["content"]): Body {
  async function* octets(): AsyncGenerator<Uint8Array, undefined> {
    for await (const chunk of body) {
      const part = content.receive(chunk);
      if (part.length > 0) yield part;
    }
    const rest = content.end();
    if (rest.length > 0) yield rest;
    return undefined;
  }
  const refuse = (): never => {
    throw new Error("the content of a call is read message by message");
  };
  return { [Symbol.asyncIterator]: octets, trailers: body.trailers, bytes: refuse, text: refuse };
}
