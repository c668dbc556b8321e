/** The interoperability cases that need no cloud, and the extra flags that each needs from the client of grpc-go. */

export type InteropCase = {
  readonly name: string;
  readonly args?: readonly string[];
  /** Why the server of grpc-go cannot be asked. */
  readonly notTheirServer?: string;
};

/** The policy of their client that looks at reports of load. */
const WATCHES_LOAD = ["-service_config_json", JSON.stringify({ loadBalancingConfig: [{ test_backend_metrics_load_balancer: {} }] })];
/** Iterations of large calls, all of which succeed; the times bound a call that hangs, and measure nothing. */
const SOAK = [
  ["-soak_iterations", "100"],
  ["-soak_num_threads", "4"],
  ["-soak_per_iteration_max_acceptable_latency_ms", "30000"],
  ["-soak_overall_timeout_seconds", "50"],
].flat();

export const CASES: readonly InteropCase[] = [
  { name: "empty_unary" },
  { name: "large_unary" },
  { name: "client_streaming" },
  { name: "server_streaming" },
  { name: "ping_pong" },
  { name: "empty_stream" },
  { name: "timeout_on_sleeping_server" },
  { name: "cancel_after_begin" },
  { name: "cancel_after_first_response" },
  { name: "custom_metadata" },
  { name: "status_code_and_message" },
  { name: "special_status_message" },
  { name: "unimplemented_method" },
  { name: "unimplemented_service" },
  { name: "pick_first_unary", notTheirServer: "it sends no `server_id`" },
  { name: "rpc_soak", args: SOAK },
  { name: "channel_soak", args: SOAK },
  { name: "orca_per_rpc", args: WATCHES_LOAD },
  { name: "orca_oob", args: WATCHES_LOAD },
];
