import { CallFailed, type ServerCall, Status } from "../../rpc/index.ts";
import { servicesOf } from "./reflect.ts";
import { implement, type Implemented } from "./server.ts";

const CONTRACT = `
syntax = "proto3";
package grpc.health.v1;

message HealthCheckRequest { string service = 1; }
message HealthCheckResponse {
  enum ServingStatus { UNKNOWN = 0; SERVING = 1; NOT_SERVING = 2; SERVICE_UNKNOWN = 3; }
  ServingStatus status = 1;
}
message HealthListRequest {}
message HealthListResponse { map<string, HealthCheckResponse> statuses = 1; }

service Health {
  rpc Check(HealthCheckRequest) returns (HealthCheckResponse);
  rpc List(HealthListRequest) returns (HealthListResponse);
  rpc Watch(HealthCheckRequest) returns (stream HealthCheckResponse);
}
`;

/** Whether a service can be called, by its number on the wire. */
export const Health = { UNKNOWN: 0, SERVING: 1, NOT_SERVING: 2, SERVICE_UNKNOWN: 3 } as const;
export type HealthStatus = "SERVING" | "NOT_SERVING";
type Asked = { readonly service: string };
type Answer = { readonly status: number };

/** The most watchers at a time; further ones are RESOURCE_EXHAUSTED. */
const WATCHERS = 10_000;
/** The most services in a list. */
const LISTED = 100;

/** The health service, for a client. */
export const HEALTH = servicesOf(CONTRACT, "grpc/health/v1/health.proto").get("grpc.health.v1.Health")!;

/** The health of the services of one server, by name; the empty name is the server itself. */
export class HealthOfServices {
  readonly #statuses = new Map<string, HealthStatus>([["", "SERVING"]]);
  /** Called when a status changes. */
  readonly #watchers = new Set<() => void>();
  #isClosed = false;

  /** States the health of a service, or of the server if the name is empty. */
  set(service: string, status: HealthStatus): void {
    // After `shutdown` no service recovers.
    if (this.#isClosed) return;
    this.#statuses.set(service, status);
    for (const changed of this.#watchers) changed();
  }
  /** Nothing is served any more: every service is NOT_SERVING, and stays so. */
  shutdown(): void {
    for (const service of this.#statuses.keys()) this.set(service, "NOT_SERVING");
    this.#isClosed = true;
  }

  /** The health service that states all of this. */
  service(): Implemented {
    return implement(HEALTH, {
      check: ({ service }: Asked): Answer => {
        const status = this.#statuses.get(service);
        if (status === undefined) throw new CallFailed(Status.NOT_FOUND, `The server has no service ${JSON.stringify(service)}.`);
        return { status: Health[status] };
      },
      list: () => {
        if (this.#statuses.size > LISTED) throw new CallFailed(Status.RESOURCE_EXHAUSTED, `There are more than ${LISTED} services.`);
        return { statuses: new Map(Array.from(this.#statuses, ([name, status]) => [name, { status: Health[status] }])) };
      },
      watch: ({ service }: Asked, call: ServerCall) => this.#watch(service, call),
    });
  }

  /** The status now, and then each change of it. A service that is not known may come later. */
  async *#watch(service: string, { signal }: ServerCall): AsyncGenerator<Answer> {
    if (this.#watchers.size >= WATCHERS) throw new CallFailed(Status.RESOURCE_EXHAUSTED, `There are ${WATCHERS} watchers already.`);
    let wake = Promise.withResolvers<void>();
    const changed = (): void => wake.resolve();
    this.#watchers.add(changed);
    signal.addEventListener("abort", changed, { once: true });
    try {
      let last: number | undefined;
      while (!signal.aborted) {
        wake = Promise.withResolvers();
        const status = Health[this.#statuses.get(service) ?? "SERVICE_UNKNOWN"];
        if (status !== last) {
          last = status;
          yield { status };
        } else await wake.promise;
      }
    } finally {
      this.#watchers.delete(changed);
    }
  }
}
