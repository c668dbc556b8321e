import { connect } from "../../../reference/serve/index.ts";
import { connectWebSocket } from "../../../reference/serve/websocket/index.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";

/** Our client with the certificates of the run. */
export const client: InProcessClient = async (url, signal, { credentials }) => {
  const tls = { ...credentials };
  if (url.startsWith("wss:")) {
    const socket = await connectWebSocket(url, { tls });
    socket.close();
    await socket.closed;
    return;
  }
  const connection = await connect(url, { graceMs: 100, tls });
  signal.addEventListener("abort", () => void connection.close());
  try {
    const response = await connection.request({ signal });
    await response.body.bytes();
  } finally {
    await connection.close();
  }
};
