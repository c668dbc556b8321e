/** How the versions of QUIC differ (rfc9369#3). */
export type Version = {
  readonly number: number;
  readonly name: "v1" | "v2";
  /** The types of long packets, by their two bits. */
  readonly types: readonly [LongType, LongType, LongType, LongType];
  readonly salt: string;
  readonly retry: { readonly key: string; readonly nonce: string };
  /** What labels of key derivation begin with. */
  readonly label: "quic" | "quicv2";
};
export type LongType = "initial" | "0-RTT" | "handshake" | "retry";

/** rfc9000#15, rfc9001#5.2, rfc9001#5.8. */
export const V1: Version = {
  number: 0x0000_0001,
  name: "v1",
  types: ["initial", "0-RTT", "handshake", "retry"],
  salt: "38762cf7f55934b34d179ae6a4c80cadccbb7f0a",
  retry: { key: "be0c690b9f66575a1d766b54e368c84e", nonce: "461599d35d632bf2239825bb" },
  label: "quic",
};
/** rfc9369#3. */
export const V2: Version = {
  number: 0x6b33_43cf,
  name: "v2",
  types: ["retry", "initial", "0-RTT", "handshake"],
  salt: "0dede3def700a6db819381be6e269dcbf9bd2ed9",
  retry: { key: "8fb4b01b56ac48e260fbcbcead7ccc92", nonce: "d86969bc2d7c6d9990efb04a" },
  label: "quicv2",
};

const KNOWN: readonly Version[] = Object.freeze([V1, V2]);
export const versionOf = (number: number): Version | undefined => KNOWN.find((one) => one.number === number);

/** The version number that marks a Version Negotiation packet (rfc8999#6). */
export const NEGOTIATION = 0;
/** Reserved to be unknown to everybody, so that negotiation is exercised (rfc9000#6.3). */
export const isReserved = (number: number): boolean => (number & 0x0f0f_0f0f) === 0x0a0a_0a0a;
