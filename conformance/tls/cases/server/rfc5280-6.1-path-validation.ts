import type { Case, CertificateName } from "../../vocabulary.ts";
import { connect, good, idOf, OVER_WORDS, OVERS, refused, VERSIONS, versionWords } from "../phrases.ts";

type Wrong = { readonly id: string; readonly name: CertificateName; readonly words: string; readonly covers: Case["covers"] };

const PATH = "rfc5280#6.1/valid-path";
const WRONG: readonly Wrong[] = [
  { id: "expired", name: "expired", words: "that expired a day ago", covers: ["rfc5280#6.1.3/within-validity"] },
  { id: "not-yet-valid", name: "early", words: "that is valid from tomorrow", covers: ["rfc5280#6.1.3/within-validity"] },
  { id: "wrong-authority", name: "stranger", words: "of an authority that the server does not know", covers: [PATH] },
  {
    id: "namesake-authority",
    name: "namesake",
    words: "of an authority with the name of the known one and another key",
    covers: ["rfc5280#6.1.3/signature"],
  },
  { id: "self-signed", name: "self", words: "that is signed by itself", covers: [PATH] },
  { id: "issued-by-leaf", name: "leaf", words: "issued by a client's certificate", covers: ["rfc5280#6.1.4/issuer-is-authority"] },
  { id: "wrong-purpose", name: "purpose", words: "for servers only", covers: ["rfc5280#4.2.1.12/purpose", "rfc5280#4.2/recognized"] },
];

/** Certificates of clients that do not pass the validation of their path. */
export const cases: readonly Case[] = OVERS.flatMap((over) =>
  VERSIONS.flatMap((version) => [
    ...WRONG.map(({ id, name, words, covers }): Case => {
      const [section = ""] = covers[0].split("/");
      return {
        id: `tls/${over}-certificate-${id}-${idOf(version)}`,
        spec: section as Case["spec"],
        covers,
        level: "MUST",
        role: "server",
        needs: ["authority", "requires", over, idOf(version)],
        title: `Over ${OVER_WORDS[over]} and ${versionWords(version)}: the server does not authenticate a client by a certificate ${words}.`,
        steps: [connect(over, version, { certificate: name })],
        control: [good(over, version)],
        allowed: refused(),
      };
    }),
    {
      id: `tls/${over}-resumed-after-expired-${idOf(version)}`,
      spec: "rfc5280#6.1.3",
      covers: ["rfc5280#6.1.3/within-validity"],
      level: "MUST",
      role: "server",
      needs: ["authority", "requires", over, idOf(version)],
      title: `Over ${OVER_WORDS[over]} and ${versionWords(version)}: the session of a client with an expired certificate authenticates nobody.`,
      steps: [connect(over, version, { certificate: "expired" }), connect(over, version, { resumes: true })],
      control: [good(over, version)],
      allowed: refused(),
    },
  ]),
);
