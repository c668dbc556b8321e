import { connect } from "../../../reference/serve/http3/index.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";

/** Our client: makes one request, reads the response, and closes; rejects when the request fails. */
export const plain: InProcessClient = async (url, signal) => {
  const connection = await connect(url, { graceMs: 200, tls: { verify: false } });
  signal.addEventListener("abort", () => void connection.close());
  try {
    const response = await connection.request({ signal });
    await response.body.bytes();
  } finally {
    await connection.close();
  }
};
