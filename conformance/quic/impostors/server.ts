import { now } from "../../../reference/io/index.ts";
import { EarlyGuard } from "../../../reference/tls/index.ts";
import { loopbackCertificate } from "../../harness/subject/certificate.ts";
import type { RunningImpostor } from "../../harness/impostors/listening.ts";
import { flawOf } from "../../harness/impostors/named.ts";
import type { ParameterSpec } from "../../wire/quic/parameters.ts";
import { listenRaw } from "../../wire/quic/udp.ts";
import { FLAWS, negotiates } from "./flaws.ts";
import { Peer } from "./peer.ts";

/** Takes the 0-RTT data of every ticket. */
class Always extends EarlyGuard {
  override admit(): boolean {
    return true;
  }
}

/** So much that a few streams fill it. */
const CONNECTION_WINDOW = 2 ** 25;
/** It has chosen version 1, and speaks version 2, too (rfc9368#3). */
const VERSIONS = "00000001000000016b3343cf";
const window = (parameters?: ParameterSpec): ParameterSpec => ({
  ...parameters,
  set: {
    initial_max_data: CONNECTION_WINDOW,
    ...(parameters?.without?.includes("version_information") === true ? {} : { version_information: VERSIONS }),
    ...parameters?.set,
  },
});

/** Starts an impostor on a free port of the loopback interface. */
export async function startServer(name: string): Promise<RunningImpostor> {
  const flaw = flawOf(FLAWS, name);
  let resumed = 0;
  const { port, stop } = await listenRaw({
    certificate: await loopbackCertificate(),
    alpn: ["h3"],
    early: new Always(now()),
    resumes: () => resumed++ < (flaw.resumes ?? Number.POSITIVE_INFINITY),
    later: flaw.later && window(flaw.later),
    forging: flaw.forging,
    parameters: window(flaw.parameters),
    meets: (datagram, answer) => ((flaw.first ?? negotiates)(datagram, answer) ? "ignore" : undefined),
    accept: (end, route) => {
      const peer = new Peer(end, flaw, route);
      const { before } = flaw;
      return { on: peer.observe, moved: peer.moved, ...(before === undefined ? {} : { before: (datagram) => before(datagram, peer) }) };
    },
  });
  return { url: `https://127.0.0.1:${port}/`, stop, [Symbol.asyncDispose]: stop };
}

if (import.meta.main) {
  const { url } = await startServer(process.argv[2] ?? "lenient");
  console.log(url);
}
