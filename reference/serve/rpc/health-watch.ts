import { messageType } from "../../rpc/message/index.ts";
import type { WatchCall } from "./server-watches.ts";

const SERVING = 1;
type Answer = { readonly status: number };
const REQUEST = messageType<{ readonly service: string }>({
  name: "grpc.health.v1.HealthCheckRequest",
  fields: () => ({ service: { number: 1, type: "string" } }),
});
const RESPONSE = messageType<Answer>({
  name: "grpc.health.v1.HealthCheckResponse",
  fields: () => ({ status: { number: 1, type: "int32" } }),
});

/**
 * Reports whether the server at a connection is healthy: first as soon as it says so, then at each change (A17#client-workflow). A server without
 * the health service is healthy. A call that fails otherwise says that it is not. (`Watch`, without the contract that a server of it needs.)
 */
export const healthWatch = (service: string, report: (isHealthy: boolean) => void): WatchCall<Answer> => ({
  method: { path: "/grpc.health.v1.Health/Watch", requestStream: false, responseStream: true, request: REQUEST, response: RESPONSE },
  request: REQUEST.encode({ service }),
  received: ({ status }) => report(status === SERVING),
  failed: () => report(false),
  absent: () => {
    console.error("touchstone: a server has no health service: its channel treats it as healthy");
    report(true);
  },
  atOnce: true,
});
