import type { SuiteName } from "../../../reference/tls/index.ts";
import type { Vector } from "../../load.ts";

type Side = "client" | "server";
/** A handshake message of one end, head included, in hexadecimal. */
export type WireMessage = readonly [by: Side, name: string, wire: string];

/** One handshake: what goes into its key schedule, and the secrets that come out. Schema: tls-key-schedule-v1. */
export type KeyScheduleVector = Vector & {
  readonly suite: SuiteName;
  /** The key of the session that the client offers. */
  readonly psk?: string;
  /** Whether the server resumes that session. */
  readonly resumed: boolean;
  /** The shared secret of the key exchange. */
  readonly shared: string;
  /** All messages in the order in which they count. */
  readonly messages: readonly WireMessage[];
  readonly secrets: Readonly<Record<string, string>>;
  /** Keying material for the label and the context, with 32 octets. */
  readonly exported: { readonly label: string; readonly context: string; readonly octets: string };
  /** The ticket nonce of each session of the server, and its key. */
  readonly sessions: readonly { readonly nonce: string; readonly psk: string }[];
};

export type MessageName =
  | "ClientHello"
  | "ServerHello"
  | "HelloRetryRequest"
  | "NewSessionTicket"
  | "EncryptedExtensions"
  | "Certificate"
  | "CertificateRequest"
  | "CertificateVerify";

/** One handshake message. Schema: tls-message-v1. */
export type MessageVector = Vector & {
  readonly message: MessageName;
  /** The extensions of the message that it answers, by number. */
  readonly offered?: readonly number[];
  /** The whole message, head included. */
  readonly wire: string;
  readonly value?: Readonly<Record<string, unknown>>;
  readonly fault?: string;
  readonly code?: number;
};
