import type { SpecRef } from "../../../reference/core/index.ts";
import type { Case, Over, Step, TlsVersion } from "../vocabulary.ts";

/** What the cases share. */

export const OVERS: readonly Over[] = ["http1", "http2", "websocket"];
export const VERSIONS: readonly TlsVersion[] = ["TLSv1.2", "TLSv1.3"];
export const OVER_WORDS: Readonly<Record<Over, string>> = { http1: "HTTP/1.1", http2: "HTTP/2", websocket: "WebSocket" };
export const idOf = (version: TlsVersion): string => (version === "TLSv1.2" ? "tls12" : "tls13");
export const versionWords = (version: TlsVersion): string => version.replace("v", " ");

type Connect = Extract<Step, { do: "connect" }>;
export const connect = (over: Over, version?: TlsVersion, more: Partial<Connect> = {}): Connect => ({
  do: "connect",
  over,
  ...(version !== undefined && { version }),
  ...more,
});
export const good = (over: Over, version?: TlsVersion): Connect => connect(over, version, { certificate: "good" });

/** A server may abort with an alert, or continue without client authentication, and then answers otherwise or ends the connection. */
export const refused = (by: SpecRef = "rfc8446#4.4.2.4"): Case["allowed"] => [
  { see: { see: "refused", by: ["alert"] } },
  { see: { see: "refused", by: ["response", "GOAWAY"] }, by },
  { see: { see: "refused", by: ["end"] }, by: "rfc8446#6.2", verdict: "warn" },
];
