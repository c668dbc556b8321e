import type { Case, CertificateName } from "../../vocabulary.ts";
import { OVER_WORDS, OVERS } from "../phrases.ts";

type Wrong = { readonly id: string; readonly name: CertificateName; readonly words: string; readonly covers: Case["covers"] };

const PATH = "rfc5280#6.1/valid-path";
const WRONG: readonly Wrong[] = [
  { id: "expired", name: "expired", words: "that expired a day ago", covers: ["rfc5280#6.1.3/within-validity"] },
  { id: "not-yet-valid", name: "early", words: "that is valid from tomorrow", covers: ["rfc5280#6.1.3/within-validity"] },
  { id: "wrong-authority", name: "stranger", words: "of an unknown authority", covers: [PATH] },
  {
    id: "namesake-authority",
    name: "namesake",
    words: "of an authority with the name of the known one and another key",
    covers: ["rfc5280#6.1.3/signature"],
  },
  { id: "self-signed", name: "self", words: "that is signed by itself", covers: [PATH] },
  { id: "issued-by-leaf", name: "leaf", words: "issued by a server's certificate", covers: ["rfc5280#6.1.4/issuer-is-authority"] },
  { id: "wrong-purpose", name: "purpose", words: "for clients only", covers: ["rfc5280#4.2.1.12/purpose"] },
];

/** Certificates of servers that a client which verifies them must not accept. */
export const cases: readonly Case[] = OVERS.flatMap((over) =>
  WRONG.map(({ id, name, words, covers }): Case => {
    const [section = ""] = covers[0].split("/");
    return {
      id: `tls/client-${over}-server-${id}`,
      spec: section as Case["spec"],
      // For a WebSocket such a certificate is a failed TLS handshake, for HTTP one that no user is there to accept.
      covers: [...covers, over === "websocket" ? "rfc6455#4.1/tls-failure" : "rfc9110#4.3.4/invalid-certificate"],
      level: "MUST",
      role: "client",
      needs: ["verifies", over],
      title: `Over ${OVER_WORDS[over]}: the client sends no request to a server with a certificate ${words}.`,
      steps: [{ do: "serve", over, certificate: name }],
      control: [{ do: "serve", over, certificate: "good" }],
      allowed: [{ see: { see: "no request" } }],
    };
  }),
);
