import { handshake, permitted } from "../phrases.ts";
import type { Case, Outcome, Row, Step, TlsOffer, TlsOutcome } from "../../vocabulary.ts";

const offer = (what: TlsOffer): Step => ({ do: "tls", offer: what });
const outcome = (is: TlsOutcome | readonly TlsOutcome[]): Outcome["see"] => ({ see: "tls", outcome: is });

/** A second TLS connection with this offer. The control uses the library's default offer, which must be answered. */
const tls = ({ what, ...row }: Row<"spec" | "covers" | "level" | "allowed"> & { readonly what: TlsOffer }): Case => ({
  role: "server",
  needs: ["tls"],
  steps: [handshake, offer(what)],
  control: [handshake, offer({}), { do: "await", see: outcome("answered") }],
  ...row,
});

/** Cipher suites of Appendix A that OpenSSL can still offer. */
const PROHIBITED =
  "AES128-SHA:AES256-SHA:AES128-SHA256:AES128-GCM-SHA256:ECDHE-RSA-AES128-SHA:ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES256-SHA384";

/** TLS versions and features (rfc9113#9.2). */
export const cases: readonly Case[] = [
  tls({
    id: "http2/tls-before-version-1-2",
    title: "The server does not speak HTTP/2 over TLS 1.1.",
    spec: "rfc9113#9.2",
    covers: ["rfc9113#9.2/tls-1.2", "rfc9113#9.2.1/terminate"],
    level: "MUST",
    what: { version: "TLSv1.1" },
    allowed: [
      { see: outcome(["refused", "other protocol"]) },
      permitted(outcome("INADEQUATE_SECURITY"), "rfc9113#9.2.1"),
      permitted(outcome("ended"), "rfc9113#5.4.1", "warn"),
    ],
  }),
  tls({
    id: "http2/tls-common-cipher-suite",
    title: "The server with TLS 1.2 supports TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 with P-256.",
    spec: "rfc9113#9.2.2",
    covers: ["rfc9113#9.2.2/common-suite", "rfc9113#9.2.2/permitted-not-refused"],
    level: "MUST",
    what: { version: "TLSv1.2", ciphers: "ECDHE-RSA-AES128-GCM-SHA256", curve: "P-256" },
    allowed: [{ see: outcome("answered") }],
  }),
  tls({
    id: "http2/tls-prohibited-cipher-suites",
    title: "The server does not speak HTTP/2 with a cipher suite that Appendix A prohibits.",
    spec: "rfc9113#9.2.2",
    covers: ["rfc9113#9.2.2/prohibited", "rfc9113#9.2.2/prohibited-refused"],
    level: "SHOULD NOT",
    what: { version: "TLSv1.2", ciphers: PROHIBITED },
    allowed: [
      { see: outcome(["refused", "other protocol"]) },
      permitted(outcome("INADEQUATE_SECURITY"), "rfc9113#9.2.2"),
      permitted(outcome("ended"), "rfc9113#5.4.1", "warn"),
    ],
  }),
  tls({
    id: "http2/tls-renegotiation",
    title: "The server does not renegotiate TLS 1.2 on an HTTP/2 connection.",
    spec: "rfc9113#9.2.1",
    covers: ["rfc9113#9.2.1/no-renegotiation"],
    level: "MUST",
    what: { version: "TLSv1.2", renegotiate: true },
    allowed: [
      { see: outcome("refused") },
      permitted(outcome("PROTOCOL_ERROR"), "rfc9113#9.2.1"),
      permitted(outcome("ended"), "rfc9113#5.4.1"),
      // It does not renegotiate, and no time is given for the connection error.
      permitted(outcome("silent"), "rfc9113#9.2.1", "warn"),
    ],
  }),
];
