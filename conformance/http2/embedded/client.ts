import { setTimeout as pause } from "node:timers/promises";
import { connect } from "../../../reference/serve/http2/index.ts";
import type { ClientResponse, ConnectOptions } from "../../../reference/serve/index.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";

/** How long the slow client leaves a response unread, in milliseconds, so that windows can be overrun. */
const UNREAD_MS = 200;
const SMALL_WINDOW = 65_535;

const readAll = async (response: ClientResponse): Promise<void> => {
  await response.body.bytes();
  await Promise.all(response.pushes.map(async (push) => (await push.response).body.bytes()));
};

/** Makes one request, reads the response and every pushed one, and closes; rejects when the request fails. */
const client =
  (options: ConnectOptions, unreadMs: number): InProcessClient =>
  async (url, signal) => {
    const connection = await connect(url, { ...options, graceMs: 200, tls: { verify: false } });
    signal.addEventListener("abort", () => void connection.close());
    try {
      const response = await connection.request({ signal });
      if (unreadMs > 0) await pause(unreadMs);
      await readAll(response);
    } finally {
      await connection.close();
    }
  };

/** Our client with its defaults. */
export const plain = client({}, 0);
/** Our client with push and small windows, which reads late. */
export const slow = client(
  { http2: { push: true, limits: { connectionWindow: SMALL_WINDOW }, settings: { initialWindowSize: SMALL_WINDOW } } },
  UNREAD_MS,
);
