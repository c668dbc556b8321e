/** Remote write without I/O (Prometheus specs, prw/remote_write_spec.md and prw/remote_write_spec_2_0.md): reading requests of both protocols into a storage. */
export { MessageFault } from "./cursor.ts";
export { messageOf, RECEIVE_LIMITS, type Received, receiveWrite } from "./receive.ts";
export type { WriteMessage } from "./write-request.ts";
