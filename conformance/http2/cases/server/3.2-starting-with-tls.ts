import { handshake, permitted } from "../phrases.ts";
import type { Case } from "../../vocabulary.ts";

/** Starting HTTP/2 over TLS (rfc9113#3.2). */
export const cases: readonly Case[] = [
  {
    id: "http2/alpn-h2c-not-chosen",
    spec: "rfc9113#3.2",
    covers: ["rfc9113#3.2/h2c-not-selected"],
    level: "MUST NOT",
    role: "server",
    needs: ["tls"],
    title: "The server does not select h2c by ALPN when the client offers nothing else.",
    steps: [handshake, { do: "tls", offer: { alpn: ["h2c"] } }],
    control: [handshake, { do: "tls", offer: {} }],
    allowed: [{ see: { see: "tls", outcome: ["refused", "other protocol"] } }],
  },
  {
    id: "http2/alpn-h2-beside-h2c",
    spec: "rfc9113#3.2",
    covers: ["rfc9113#3.2/h2c-not-selected", "rfc9113#3.2/preface-after-tls"],
    level: "MUST",
    role: "server",
    needs: ["tls"],
    title: "The server selects h2 by ALPN, and speaks it, when the client offers h2c before h2.",
    steps: [handshake, { do: "tls", offer: { alpn: ["h2c", "h2"] } }],
    control: [handshake, { do: "tls", offer: {} }],
    allowed: [{ see: { see: "tls", outcome: "answered" } }, permitted({ see: "tls", outcome: "refused" }, "rfc9113#3.2", "warn")],
  },
];
