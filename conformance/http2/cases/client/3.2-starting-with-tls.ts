import { plainExchange } from "../phrases.ts";
import type { Case } from "../../vocabulary.ts";

/** Starting HTTP/2 over TLS (rfc9113#3.2). */
export const cases: readonly Case[] = [
  {
    id: "http2/client-alpn-h2c-not-offered",
    spec: "rfc9113#3.2",
    covers: ["rfc9113#3.2/h2c-not-offered"],
    level: "MUST NOT",
    role: "client",
    needs: ["tls"],
    title: "A client over TLS does not offer h2c by ALPN.",
    fence: "exit",
    steps: plainExchange,
    control: plainExchange,
    allowed: [
      {
        see: {
          see: "all",
          of: [{ see: "accepted" }, { see: "holds", monitor: "h2c-not-offered" }, { see: "exit", ok: true }],
        },
      },
    ],
  },
];
