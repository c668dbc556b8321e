import { createServer as createTls, type TLSSocket } from "node:tls";
import type { Started } from "../../harness/impostors/catch.ts";
import { listening } from "../../harness/impostors/listening.ts";
import { flawOf } from "../../harness/impostors/named.ts";
import { Wallet } from "../certificates.ts";
import { answering } from "../driver/listen.ts";
import { ServerDriver } from "../driver/server.ts";
import type { Case } from "../vocabulary.ts";

/** Servers that authenticate clients wrongly. */

type Flaw = {
  readonly about: string;
  /** The problems of certificates, in OpenSSL's words, that it accepts. */
  readonly accepts?: readonly string[];
  readonly resumed?: "accepts" | "refuses";
  /** What it does instead of an answer. */
  readonly instead?: "silence" | "close";
  /** Serves nobody after a handshake that was not completed. */
  readonly isFragile?: true;
};

const ABSENT = "absent";

export const FLAWS: Readonly<Record<string, Flaw>> = {
  lenient: { about: "accepts a client without a certificate", accepts: [ABSENT] },
  silent: { about: "never answers", instead: "silence" },
  slams: { about: "closes after the handshake", instead: "close" },
  expired: { about: "accepts expired certificates", accepts: ["CERT_HAS_EXPIRED"] },
  early: { about: "accepts certificates that are not valid yet", accepts: ["CERT_NOT_YET_VALID"] },
  purpose: { about: "accepts certificates for servers", accepts: ["INVALID_PURPOSE"] },
  stranger: {
    about: "accepts certificates of any authority",
    accepts: ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
  },
  namesake: { about: "does not verify the signature", accepts: ["CERT_SIGNATURE_FAILURE"] },
  self: { about: "accepts self-signed certificates", accepts: ["DEPTH_ZERO_SELF_SIGNED_CERT"] },
  // Node has no word for this problem.
  leaf: { about: "accepts a client as an authority", accepts: ["INVALID_CA", "UNSPECIFIED"] },
  "resumed-all": { about: "accepts every resumed session", resumed: "accepts" },
  "resumed-none": { about: "refuses every resumed session", resumed: "refuses" },
  fragile: { about: "serves nobody after an aborted handshake", isFragile: true },
};

/** The problem of a client's certificate. */
const problemOf = (socket: TLSSocket): string | undefined => {
  if (socket.getPeerX509Certificate() === undefined) return ABSENT;
  return socket.authorized ? undefined : String(socket.authorizationError);
};

function isAccepted(flaw: Flaw, socket: TLSSocket): boolean {
  if (socket.isSessionReused() && flaw.resumed !== undefined) return flaw.resumed === "accepts";
  const problem = problemOf(socket);
  return problem === undefined || (flaw.accepts ?? []).includes(problem);
}

/** Ends the connection after the client has its session ticket. */
function refuse(socket: TLSSocket): void {
  setTimeout(() => socket.destroy(), 20);
}

/** Starts the impostor with this name. */
export async function startServer(name: string): Promise<Started<Case>> {
  const flaw = flawOf(FLAWS, name);
  const wallet = new Wallet("client");
  const { http1, http2 } = answering(() => {});
  let isBroken = false;
  const server = createTls(
    {
      ...(await wallet.other().get("good")),
      ca: (await wallet.authority).cert,
      requestCert: true,
      rejectUnauthorized: false,
      ALPNProtocols: ["h2", "http/1.1"],
    },
    (socket) => {
      socket.on("error", () => {});
      if (flaw.instead === "silence") return void socket.resume();
      if (flaw.instead === "close" || isBroken) return void socket.destroy();
      if (!isAccepted(flaw, socket)) return refuse(socket);
      return void (socket.alpnProtocol === "h2" ? http2 : http1).emit("connection", socket);
    },
  );
  server.on("tlsClientError", () => (isBroken ||= flaw.isFragile === true));
  const { url, stop } = await listening(server, "https");
  return { driver: new ServerDriver({ url, timeout: 300, verify: false, wallet }), stop };
}
