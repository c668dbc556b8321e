import type { Case, Step } from "../../vocabulary.ts";
import { idOf, OVER_WORDS, OVERS, VERSIONS, versionWords } from "../phrases.ts";

/** Certificates that the client presents when it is asked (rfc8446#4.4.2). */
export const cases: readonly Case[] = OVERS.flatMap((over) => [
  ...VERSIONS.flatMap((version) =>
    (["require", "request"] as const).map((asks): Case => {
      const steps: readonly Step[] = [{ do: "serve", over, version, certificate: "good", asks }];
      return {
        id: `tls/client-${over}-certificate-${asks}d-${idOf(version)}`,
        spec: "rfc8446#4.4.2",
        covers: ["rfc8446#4.4.2/certificate-on-request"],
        level: "MUST",
        role: "client",
        needs: ["certificate", over],
        title: `Over ${OVER_WORDS[over]} and ${versionWords(version)}: the client presents its certificate to a server that ${asks}s one.`,
        steps,
        control: steps,
        allowed: [{ see: { see: "request", certificate: "good" } }],
      };
    }),
  ),
  {
    id: `tls/client-${over}-closed-before-asked`,
    spec: "rfc8446#6.1",
    covers: ["rfc8446#6.1/failure-reported"],
    level: "SHOULD",
    role: "client",
    needs: ["exit-status", over],
    title: `Over ${OVER_WORDS[over]}: the client fails when the server closes before the handshake is complete.`,
    steps: [{ do: "drop", over }],
    control: [{ do: "serve", over, certificate: "good" }],
    allowed: [{ see: { see: "failure" } }],
  },
]);
