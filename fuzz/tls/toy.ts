import { instant, seeded, type Instant } from "../../reference/core/index.ts";
import { TLS_PRIMITIVES } from "../../reference/io/index.ts";
import {
  Client,
  EarlyGuard,
  Server,
  Tickets,
  type ClientOptions,
  type Credential,
  type Primitives,
  type PublicKey,
  type ServerOptions,
  type Session,
  type Trust,
} from "../../reference/tls/index.ts";

/** Handshakes whose asymmetric cryptography is a hash: quick, the same each time, and without any secret. Hashes and MACs are real. */

export const T0: Instant = instant(1_000_000);

const hashed = (...parts: readonly Uint8Array[]): Uint8Array => {
  const hash = TLS_PRIMITIVES.hash("sha256");
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
};
const octets = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));
const SHARE_OCTETS = 32;

/** Random values are drawn from `seed`; whoever sees both shares knows the secret. */
function toyPrimitives(seed: number): Primitives {
  const random = seeded(seed);
  const fill = (into: Uint8Array): Uint8Array => {
    for (let at = 0; at < into.length; at++) into[at] = Math.floor(random() * 256);
    return into;
  };
  const isShare = (share: Uint8Array): boolean => share.length === SHARE_OCTETS;
  return {
    ...TLS_PRIMITIVES,
    random: fill,
    groups: ["x25519", "secp256r1"],
    offer: (group) => {
      const share = fill(new Uint8Array(SHARE_OCTETS));
      return { group, share, secret: (peer) => (isShare(peer) ? hashed(share, peer) : undefined) };
    },
    answer: (_, peer) => {
      if (!isShare(peer)) return undefined;
      const share = fill(new Uint8Array(SHARE_OCTETS));
      return { share, secret: hashed(peer, share) };
    },
    publicKey: (certificate): PublicKey | undefined =>
      certificate[0] === 0x63
        ? { schemes: ["ed25519"], verify: (_, content, signature) => Buffer.from(hashed(certificate, content)).equals(signature) }
        : undefined,
  };
}

const CERTIFICATE = octets("certificate of the toy");
const CREDENTIAL: Credential = {
  chain: [CERTIFICATE, octets("certificate of its issuer")],
  schemes: ["ed25519"],
  sign: (_, content) => hashed(CERTIFICATE, content),
};
const TRUST: Trust = { check: ([first]) => (Buffer.from(first!).equals(CERTIFICATE) ? undefined : "certificateUntrusted") };

export const KINDS = ["full", "retry", "certificates", "resumed", "early"] as const;
export type Kind = (typeof KINDS)[number];
type Ends = { readonly client: Client; readonly server: Server };

/** Both ends of a new handshake of this kind. */
export function ends(kind: Kind, seed: number): Ends {
  const primitives = toyPrimitives(seed);
  const tickets = kind === "resumed" || kind === "early" ? new Tickets({ primitives }) : undefined;
  const both = (session?: Session): Ends => {
    const client: ClientOptions = {
      primitives,
      serverName: "localhost",
      alpn: ["h3", "toy"],
      parameters: octets("client parameters"),
      trust: TRUST,
      ...(kind === "retry" && { shares: [] }),
      ...(kind === "certificates" && { credentials: [CREDENTIAL] }),
      ...(session !== undefined && { session, early: kind === "early" }),
    };
    const server: ServerOptions = {
      primitives,
      credentials: () => [CREDENTIAL],
      alpn: ["h3"],
      parameters: () => octets("server parameters"),
      ...(kind === "certificates" && { clients: { trust: TRUST, required: true } }),
      ...(tickets !== undefined && { tickets, early: new EarlyGuard(instant(0)) }),
    };
    return { client: new Client(client, T0), server: new Server(server, T0) };
  };
  return both(tickets === undefined ? undefined : sessionFrom(both()));
}

/** The session of a first handshake. */
function sessionFrom({ client, server }: Ends): Session {
  const found: Session[] = [];
  client.events();
  for (let rounds = 0; rounds < 4; rounds++) {
    for (const { level, octets: some } of client.take()) server.receive(level, some, T0);
    for (const { level, octets: some } of server.take())
      for (const event of client.receive(level, some, T0)) if (event.is === "session") found.push(event.session);
  }
  return found[0]!;
}
