import type { Filter, Link } from "../../io/index.ts";
import type { ConnectionInfo } from "../connection-info.ts";
import type { Handler } from "../exchange.ts";
import { parseFault, type Wanted } from "./catalogue.ts";
import { FaultFilter } from "./fault-filter.ts";

export { FAULT_KINDS, faultLines, parseFault } from "./catalogue.ts";
export type { Kind as FaultKind } from "./step.ts";

/** The request field that asks for faults; several are separated by `;`. */
export const FAULT_FIELD = "touchstone-fault";

/** What `serve` needs in order to misbehave. */
export type Misbehaviour = {
  readonly handler: Handler;
  readonly filter: (connection: ConnectionInfo, link: Link) => Filter;
};

/** The same handler, with faults on every connection, and with those that a request asks for when `byRequest` is on. */
export function misbehave(handler: Handler, faults: readonly string[], byRequest: boolean): Misbehaviour {
  const always = faults.map(parseFault);
  const filters = new WeakMap<ConnectionInfo, FaultFilter>();
  return {
    filter: (connection, link) => {
      const filter = new FaultFilter(link, always);
      filters.set(connection, filter);
      return filter;
    },
    handler: !byRequest
      ? handler
      : (request, exchange) => {
          const asked = request.fields.all(FAULT_FIELD).flatMap((line) => line.split(";"));
          if (asked.length === 0) return handler(request, exchange);
          let wanted: Wanted[];
          try {
            wanted = asked.map(parseFault);
          } catch (error) {
            return { status: 400, fields: [["content-type", "text/plain"]], body: `${(error as Error).message}\n` };
          }
          const filter = filters.get(exchange.connection)!;
          for (const each of wanted) filter.add(each, exchange.stream);
          return handler(request, exchange);
        },
  };
}
