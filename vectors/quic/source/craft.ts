import type { Vector } from "../../load.ts";

type Version = "v1" | "v2";
type Suite = "TLS_AES_128_GCM_SHA256" | "TLS_AES_256_GCM_SHA384" | "TLS_CHACHA20_POLY1305_SHA256";

/** Schema: quic-packet-v1. */
export type PacketVector = Vector & {
  readonly version: Version;
  readonly suite: Suite;
  readonly secret: string;
  readonly idLength: number;
  readonly number: number;
  readonly largest?: number;
  readonly header: string;
  readonly payload: string;
  readonly wire: string;
  readonly fault?: string;
};
/** Schema: quic-keys-v1. */
export type KeysVector = Vector & {
  readonly version: Version;
  readonly suite: Suite;
  readonly initial?: { readonly destination: string; readonly side: "client" | "server" };
  readonly secret: string;
  readonly key: string;
  readonly iv: string;
  readonly hp: string;
  readonly next?: string;
};
/** Schema: quic-retry-v1. */
export type RetryVector = Vector & {
  readonly version: Version;
  readonly original: string;
  readonly wire: string;
  readonly token?: string;
  readonly fault?: string;
};
/** Schema: quic-integer-v1. */
export type IntegerVector = Vector & { readonly wire: string; readonly value?: string; readonly shortest?: boolean; readonly fault?: string };
/** Schema: quic-parameters-v1. */
export type ParametersVector = Vector & {
  readonly by: "client" | "server";
  readonly wire: string;
  readonly parameters?: Readonly<Record<string, number | boolean | string | Readonly<Record<string, string | number>>>>;
  readonly fault?: string;
};
/** Schema: quic-frame-v1. */
export type FrameVector = Vector & {
  readonly packet: "initial" | "0-RTT" | "handshake" | "1-RTT";
  readonly wire: string;
  readonly frame?: Readonly<Record<string, unknown>>;
  readonly fault?: string;
  readonly code?: number;
};
