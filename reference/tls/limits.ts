/** Bounds for everything that a peer could otherwise demand without end. Honest peers stay below the defaults. */
export type Limits = {
  /** Octets of one handshake message: a chain of ten certificates with RSA keys needs about 20 KiB. */
  readonly messageOctets: number;
  /** Octets of a level whose turn has not come. */
  readonly aheadOctets: number;
  /** Extensions in one block; browsers send about 20. */
  readonly extensions: number;
  /** Certificates in a chain, the one of the peer included: each costs a signature check. */
  readonly chain: number;
  /** Server: pre-shared keys in one offer: each costs a decryption. */
  readonly identities: number;
  /** Client: NewSessionTicket messages on one connection. */
  readonly tickets: number;
};

export const DEFAULT_LIMITS: Limits = {
  messageOctets: 65_536,
  aheadOctets: 65_536,
  extensions: 100,
  chain: 10,
  identities: 10,
  tickets: 64,
};
