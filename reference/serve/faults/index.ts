import { Misuse } from "../../core/index.ts";
import type { ConnectionInfo, Response } from "../../http/index.ts";
import { streamId } from "../../http2/index.ts";
import type { Filter, Link } from "../../io/index.ts";
import type { Handler } from "../handler.ts";
import { duties } from "./duties.ts";
import { ending } from "./ending.ts";
import type { Fault } from "./fault.ts";
import { FaultyLine } from "./faulty-line.ts";
import { frames } from "./frames.ts";
import { raw } from "./raw.ts";
import { sections } from "./sections.ts";
import { parseSpec, type Asked } from "./spec.ts";
import { timing } from "./timing.ts";

/** All faults, by name. A name is permanent. */
export const FAULTS: readonly Fault[] = [...ending, ...timing, ...duties, ...sections, ...frames, ...raw];

/** The request field that asks for a fault. Several lines ask for several faults. */
const FAULT_FIELD = "touchstone-fault";
const MOST_OF_A_REQUEST = 8;

/** Parses `name:arg=value,…`; throws `Misuse` with one line that lists what is valid. */
export const parseFault = (spec: string): Asked => parseSpec(spec, FAULTS);

type Faulty = { readonly handler: Handler; readonly filter: (connection: ConnectionInfo, link: Link) => Filter };

/** A handler and a filter for its connections, which together perform the faults of `specs`, and with `byRequest` those of requests. */
export function withFaults(handler: Handler, specs: readonly string[], byRequest: boolean): Faulty {
  const asked = specs.map(parseFault);
  const lines = new WeakMap<ConnectionInfo, FaultyLine>();
  return {
    filter: (connection, link) => {
      const line = new FaultyLine(link, asked);
      lines.set(connection, line);
      return line;
    },
    handler: (request, exchange) => {
      const line = lines.get(exchange.connection);
      line?.serving(exchange);
      const wanted = byRequest ? request.fields.all(FAULT_FIELD) : [];
      if (wanted.length === 0 || line === undefined) return handler(request, exchange);
      try {
        if (!line.add(streamId(exchange.stream), ofRequest(wanted)))
          throw new Misuse("The connection has too many concurrent faults: use another.");
      } catch (error) {
        if (error instanceof Misuse) return refusal(error.message);
        throw error;
      }
      return handler(request, exchange);
    },
  };
}

function ofRequest(specs: readonly string[]): Asked[] {
  if (specs.length > MOST_OF_A_REQUEST) throw new Misuse(`A request may ask for ${MOST_OF_A_REQUEST} faults at most.`);
  return specs.map((spec) => {
    const asked = parseFault(spec);
    if (!asked.fault.byRequest) throw new Misuse(`${asked.fault.name} affects a whole connection: a request cannot ask for it.`);
    return asked;
  });
}
const refusal = (why: string): Response => ({ status: 400, fields: [["content-type", "text/plain"]], body: `${why}\n` });

export { faultJson, faultLines } from "./spec.ts";
export type { Fault } from "./fault.ts";
