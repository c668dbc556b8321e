import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import {
  CallFailed,
  implement,
  type Implemented,
  type MetadataEntry,
  type ServerCall,
  servicesOf,
  Status,
  statusName,
  type StatusCode,
} from "../../../reference/serve/rpc/index.ts";

/** The service of `vectors/rpc/conformance.proto` on our own server. */

type Field = { readonly name: string; readonly text?: string; readonly octets?: Uint8Array };
type Plan = {
  readonly call: string;
  readonly headers: readonly Field[];
  readonly trailers: readonly Field[];
  readonly headersFirst: boolean;
  readonly delayMs: number;
  readonly compression: number;
  readonly responses: number;
  readonly responseOctets: number;
  readonly early: boolean;
  readonly status: number;
  readonly message: string;
  readonly details: Uint8Array;
  readonly throws: boolean;
};
type Request = { readonly payload: Uint8Array; readonly plan?: Plan | null };
type Response = { readonly payload: Uint8Array; readonly number?: number; readonly seen?: unknown };
type Fate = { state: number; requests: number };

const CONTRACT = readFileSync(new URL("../../../vectors/rpc/conformance.proto", import.meta.url), "utf8");
/** The service, also for a client. */
const CONFORMANCE = servicesOf(CONTRACT, "conformance.proto").get("touchstone.conformance.v1.Conformance")!;

const [RUNNING, ENDED, CANCELLED] = [1, 2, 3] as const;
const ON = 1;
/** How many fates are kept. */
const KEPT = 10_000;

const entryOf = ({ name, text = "", octets = new Uint8Array() }: Field): MetadataEntry => ({
  name,
  value: name.endsWith("-bin") ? octets : text,
});
const fieldOf = ({ name, value }: MetadataEntry): Field => (typeof value === "string" ? { name, text: value } : { name, octets: value });

/** A plan in the making of a call. */
class Course {
  readonly #fate: Fate = { state: RUNNING, requests: 0 };
  readonly #call: ServerCall;
  #plan: Plan | undefined;
  #seen = false;

  constructor(call: ServerCall) {
    this.#call = call;
  }

  /** Takes a request; the first one has the plan. */
  async take({ plan }: Request, fates: Map<string, Fate>): Promise<void> {
    this.#fate.requests += 1;
    if (this.#fate.requests > 1 || plan === undefined || plan === null) return;
    this.#plan = plan;
    const { call, headers, trailers, headersFirst, delayMs, compression } = plan;
    if (call !== "") {
      fates.set(call, this.#fate);
      for (const oldest of fates.keys()) if (fates.size > KEPT) fates.delete(oldest);
      this.#call.signal.addEventListener("abort", () => this.#end(CANCELLED));
      if (this.#call.signal.aborted) this.#end(CANCELLED);
    }
    if (trailers.length > 0) this.#call.setTrailers(trailers.map(entryOf));
    if (compression !== 0) this.#call.compress(compression === ON);
    if (headersFirst || headers.length > 0) this.#call.sendHeaders(headers.map(entryOf));
    if (delayMs > 0) await wait(delayMs, undefined, { signal: this.#call.signal });
  }
  #end(state: number): void {
    if (this.#fate.state === RUNNING) this.#fate.state = state;
  }

  get early(): boolean {
    return this.#plan?.early === true;
  }
  get responses(): number {
    return this.#plan?.responses ?? 0;
  }

  response(payload: Uint8Array, number: number): Response {
    const size = this.#plan?.responseOctets ?? 0;
    const seen = this.#seen ? undefined : this.#saw();
    this.#seen = true;
    return { payload: size > 0 ? new Uint8Array(size) : payload, number, ...(seen === undefined ? {} : { seen }) };
  }
  #saw(): unknown {
    const { metadata, deadline } = this.#call;
    const leftMs = BigInt(deadline === undefined ? 0 : Math.max(0, Math.round(deadline - performance.now())));
    return { metadata: [...metadata].map(fieldOf), hasDeadline: deadline !== undefined, leftMs };
  }

  /** Ends the call as the plan says. */
  finish(): void {
    this.#end(ENDED);
    const { status = 0, message = "", details = new Uint8Array(), throws = false } = this.#plan ?? {};
    if (throws) throw new Error("the plan of the call wants a failure without a status");
    if (status === Status.OK) return;
    throw new CallFailed(Status[statusName(status as StatusCode)], message, details.length > 0 ? { details } : {});
  }
}

/** A payload may be a view of what was received: it is kept while the handler waits. */
const kept = ({ payload }: Request): { readonly payload: Uint8Array } => ({ payload: Uint8Array.from(payload) });
/** Joins payloads. */
const joined = (parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);

export function conformance(): Implemented {
  const fates = new Map<string, Fate>();
  return implement(CONFORMANCE, {
    unary: async (request: Request, call) => {
      const course = new Course(call);
      const { payload } = kept(request);
      await course.take(request, fates);
      course.finish();
      return course.response(payload, 1);
    },
    clientStream: async (requests: AsyncIterable<Request>, call) => {
      const course = new Course(call);
      const parts: Uint8Array[] = [];
      for await (const request of requests) {
        parts.push(kept(request).payload);
        await course.take(request, fates);
        if (course.early) break;
      }
      course.finish();
      return course.response(joined(parts), parts.length);
    },
    async *serverStream(request: Request, call) {
      const course = new Course(call);
      const { payload } = kept(request);
      await course.take(request, fates);
      for (let number = 1; number <= course.responses; number++) yield course.response(payload, number);
      course.finish();
    },
    async *bidiStream(requests: AsyncIterable<Request>, call) {
      const course = new Course(call);
      let number = 0;
      for await (const request of requests) {
        const { payload } = kept(request);
        await course.take(request, fates);
        yield course.response(payload, ++number);
        if (course.early) break;
      }
      course.finish();
    },
    fate: ({ call }: { readonly call: string }) => fates.get(call) ?? { state: 0, requests: 0 },
  });
}
