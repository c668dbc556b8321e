import { connect } from "../../reference/serve/http3/index.ts";
import type { LoadOutcome } from "../lib/h2load.ts";
import type { BenchSubject } from "../lib/subject.ts";

/** Connections, concurrent requests on each, and the total number of requests. */
export type Load = { readonly connections: number; readonly streams: number; readonly requests: number; readonly upload?: Uint8Array };
type Reached = Pick<BenchSubject, "origin" | "tls">;
type Client = Awaited<ReturnType<typeof connect>>;

/**
 * A load of requests by our own client: no generator of load speaks HTTP/3 on every machine. It costs about as much as a server, and shares the
 * machine with it: read the CPU time of the server, not its rate.
 */
export async function http3Load(subject: Reached, path: string, load: Load): Promise<LoadOutcome> {
  const clients = await Promise.all(Array.from({ length: load.connections }, () => open(subject)));
  const tally = { succeeded: 0, failed: 0, octetsReceived: 0 };
  let left = load.requests;
  const worker = async (client: Client): Promise<void> => {
    while (left-- > 0) {
      const octets = await request(client, path, load.upload);
      if (octets === undefined) tally.failed += 1;
      else {
        tally.succeeded += 1;
        tally.octetsReceived += octets;
      }
    }
  };
  const began = performance.now();
  try {
    await Promise.all(clients.flatMap((client) => Array.from({ length: load.streams }, () => worker(client))));
    return { ...tally, seconds: (performance.now() - began) / 1_000 };
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}

/** Connections one after the other, each up to the server's SETTINGS. */
export async function handshakes(subject: Reached, count: number): Promise<{ readonly seconds: number }> {
  const began = performance.now();
  for (let nth = 0; nth < count; nth++) await (await open(subject)).close();
  return { seconds: (performance.now() - began) / 1_000 };
}

const open = ({ origin, tls }: Reached): Promise<Client> =>
  connect(origin, {
    graceMs: 1_000,
    tls: {
      ...(tls?.ca === undefined ? { verify: false } : { ca: tls.ca }),
      ...(tls?.cert !== undefined && { cert: tls.cert, key: tls.key! }),
    },
  });

/** Returns the octets of the answer, or undefined if it was not a success. */
async function request(client: Client, path: string, upload: Uint8Array | undefined): Promise<number | undefined> {
  const { status, body } = await client.request({ path, ...(upload !== undefined && { method: "POST", body: upload }) });
  let octets = 0;
  for await (const piece of body) octets += piece.length;
  return status >= 200 && status < 300 ? octets : undefined;
}
