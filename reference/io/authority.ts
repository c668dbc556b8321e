import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { originOf } from "../http/index.ts";
import { identityProblem } from "./identity.ts";
import { fromUrl } from "./tcp.ts";
import { isTls } from "./tls.ts";

/**
 * Returns a test for the origins that the server at the other end of `socket` is authoritative for (rfc9113#10.1): the dialled one, and over
 * TLS with a verified certificate also those on the same port whose host the certificate covers (rfc9113#9.1.1). In clear text only the
 * resolver identifies the server, and it was asked for the dialled origin alone.
 */
export function authorityOf(socket: Duplex, dialled: { readonly scheme: string; readonly authority: string }): (origin: string) => boolean {
  const own = originOf(dialled.scheme, dialled.authority);
  return (origin) => origin === own || (isVerified(socket) && isCovered(socket, own, origin));
}

const isVerified = (socket: Duplex): socket is TLSSocket => isTls(socket) && socket.authorized;

function isCovered(socket: TLSSocket, own: string, origin: string): boolean {
  const [of, at] = [URL.parse(origin), URL.parse(own)];
  if (of === null || at === null || of.protocol !== "https:" || of.port !== at.port) return false;
  return identityProblem(fromUrl(of.hostname), socket.getPeerCertificate()) === undefined;
}
