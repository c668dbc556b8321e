import { setTimeout as pause } from "node:timers/promises";
import { connect } from "../../../reference/serve/http2/index.ts";
import type { ClientResponse, ConnectOptions } from "../../../reference/serve/index.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";

/** How long the slow client leaves a response unread, in milliseconds, so that windows can be overrun. */
const UNREAD_MS = 200;
const SMALL_WINDOW = 65_535;
const CHUNKS = 30;
const CHUNK_OCTETS = 10_000;
const LARGE_FIELD = ["x-large", "a".repeat(30_000)] as const;

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

async function* upload(): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < CHUNKS; n++) yield new Uint8Array(CHUNK_OCTETS);
}

/** Our client with 300 KB of content in its request, after a header section that needs several frames; then a second request. */
export const busy: InProcessClient = async (url, signal) => {
  const connection = await connect(url, { graceMs: 200, tls: { verify: false } });
  signal.addEventListener("abort", () => void connection.close());
  try {
    await readAll(await connection.request({ method: "POST", fields: [LARGE_FIELD], body: upload(), signal }));
    await readAll(await connection.request({ signal }));
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
