import { connect, type ClientHttp2Session } from "node:http2";
import { tlsOptions } from "../lib/dial.ts";
import type { Load, LoadOutcome } from "../lib/h2load.ts";
import type { BenchSubject } from "../lib/subject.ts";

/**
 * The same small requests as from h2load, sent by `node:http2`: h2load has no client certificates and verifies no server. It costs more than
 * h2load, so that servers share the machine with a busier client: read the CPU time of the server, not its rate.
 */
export async function nodeLoad(subject: Pick<BenchSubject, "origin" | "tls">, path: string, load: Load): Promise<LoadOutcome> {
  const sessions = await Promise.all(Array.from({ length: load.connections }, () => open(subject)));
  const tally = { succeeded: 0, failed: 0, octetsReceived: 0 };
  let left = load.requests;
  const worker = async (session: ClientHttp2Session): Promise<void> => {
    while (left-- > 0) {
      const octets = await request(session, path);
      if (octets === undefined) tally.failed += 1;
      else {
        tally.succeeded += 1;
        tally.octetsReceived += octets;
      }
    }
  };
  const began = performance.now();
  try {
    await Promise.all(sessions.flatMap((session) => Array.from({ length: load.streams }, () => worker(session))));
    return { ...tally, seconds: (performance.now() - began) / 1_000 };
  } finally {
    for (const session of sessions) session.destroy();
  }
}

function open({ origin, tls }: Pick<BenchSubject, "origin" | "tls">): Promise<ClientHttp2Session> {
  return new Promise((resolve, reject) => {
    const session = connect(origin, tlsOptions(tls), () => resolve(session));
    session.on("error", reject);
  });
}

/** Returns the octets of the answer, or undefined if it was not a success. */
function request(session: ClientHttp2Session, path: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    let octets = 0;
    let status = 0;
    session
      .request({ ":path": path })
      .on("response", (head) => void (status = head[":status"] ?? 0))
      .on("data", (data: Buffer) => void (octets += data.length))
      .on("end", () => resolve(status >= 200 && status < 300 ? octets : undefined))
      .on("error", () => resolve(undefined))
      .on("close", () => resolve(undefined))
      .end();
  });
}
