import { connect } from "../../../reference/serve/http3/index.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";

/** Our client: makes one request, reads the response, and closes; rejects when the request fails. It trusts the authority of the run. */
export const plain: InProcessClient = async (url, signal, { credentials }) => {
  const connection = await connect(url, { graceMs: 50, tls: credentials === undefined ? {} : { ca: credentials.ca } });
  signal.addEventListener("abort", () => void connection.close());
  try {
    const response = await connection.request({ signal });
    await response.body.bytes();
  } finally {
    await connection.close();
  }
};
