import type { Case } from "../../vocabulary.ts";
import { connect, good, idOf, OVER_WORDS, OVERS, refused, VERSIONS, versionWords } from "../phrases.ts";

/** A server that requires client certificates, as the operator declares by --authority (rfc8446#4.4.2.4). */
export const cases: readonly Case[] = OVERS.flatMap((over) => [
  ...VERSIONS.flatMap((version): Case[] => {
    const where = `Over ${OVER_WORDS[over]} and ${versionWords(version)}`;
    return [
      {
        id: `tls/${over}-certificate-absent-${idOf(version)}`,
        spec: "rfc8446#4.4.2.4",
        covers: ["rfc8446#4.4.2.4/absent"],
        level: "SHOULD",
        role: "server",
        needs: ["authority", over, idOf(version)],
        title: `${where}: the server does not serve a client without a certificate.`,
        steps: [connect(over, version)],
        control: [good(over, version)],
        allowed: refused(),
      },
      {
        id: `tls/${over}-resumed-after-absent-${idOf(version)}`,
        spec: "rfc8446#4.4.2.4",
        covers: ["rfc8446#4.4.2.4/absent"],
        level: "SHOULD",
        role: "server",
        needs: ["authority", "requires", over, idOf(version)],
        title: `${where}: the session of a client without a certificate authenticates nobody.`,
        steps: [connect(over, version), connect(over, version, { resumes: true })],
        control: [good(over, version)],
        allowed: refused(),
      },
      {
        id: `tls/${over}-resumed-after-good-${idOf(version)}`,
        spec: "rfc8446#4.2.11",
        covers: ["rfc8446#4.2.11/full-handshake"],
        level: "SHOULD",
        role: "server",
        needs: ["authority", over, idOf(version)],
        title: `${where}: the server serves a client that resumes its session, or asks for its certificate again.`,
        steps: [good(over, version), connect(over, version, { certificate: "good", resumes: true })],
        control: [good(over, version), connect(over, version, { certificate: "good", resumes: true })],
        allowed: [{ see: { see: "served" } }],
      },
    ];
  }),
  {
    id: `tls/${over}-closed-before-asked`,
    spec: "rfc8446#6.1",
    covers: ["rfc8446#6.1/others-unaffected"],
    level: "SHOULD",
    role: "server",
    needs: ["authority", over],
    title: `Over ${OVER_WORDS[over]}: the server serves the next client after one that closed before its certificate was requested.`,
    steps: [{ do: "abandon" }, good(over)],
    control: [{ do: "abandon" }, good(over)],
    allowed: [{ see: { see: "served" } }],
  },
]);
