import { connect } from "../../../reference/serve/index.ts";
import { client as honest } from "../embedded/client.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import type { Started } from "../../harness/impostors/catch.ts";
import { flawOf } from "../../harness/impostors/named.ts";
import { ClientDriver } from "../driver/client.ts";
import type { Case } from "../vocabulary.ts";
import { connectWebSocket } from "../../../reference/serve/websocket/index.ts";

/** Clients that are wrong about certificates. */
const careless: InProcessClient = async (url, _signal, { credentials }) => {
  const tls = { verify: false, ...(credentials && { cert: credentials.cert, key: credentials.key }) };
  if (url.startsWith("wss:")) return (await connectWebSocket(url, { tls })).close();
  await using connection = await connect(url, { graceMs: 100, tls });
  return (await connection.request()).body.bytes();
};
/** Has a certificate and keeps it. */
const bare: InProcessClient = async (url, _signal, { credentials }) => {
  const tls = credentials === undefined ? {} : { ca: credentials.ca };
  if (url.startsWith("wss:")) return (await connectWebSocket(url, { tls })).close();
  await using connection = await connect(url, { graceMs: 100, tls });
  return (await connection.request()).body.bytes();
};

export const FLAWS: Readonly<Record<string, InProcessClient>> = {
  careless,
  bare,
  /** Reports success whatever happens, but for the first failure, which the probe sees. */
  cheerful: (() => {
    let failures = 0;
    const client: InProcessClient = async (url, signal, request) => {
      try {
        await honest(url, signal, request);
      } catch (error) {
        if (failures++ === 0) throw error;
      }
    };
    return client;
  })(),
  never: async () => {
    throw new Error("this client never connects");
  },
};

export async function startClient(name: string): Promise<Started<Case>> {
  const driver = new ClientDriver({ client: flawOf(FLAWS, name), timeout: 300 });
  return { driver, stop: () => driver.close() };
}
