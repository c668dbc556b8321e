import type { Case, Misnamed, Named } from "../../vocabulary.ts";
import { OVER_WORDS, OVERS } from "../phrases.ts";

type Wrong = { readonly id: string; readonly named: Named; readonly certificate: Misnamed; readonly words: string };

const WRONG: readonly Wrong[] = [
  { id: "wrong-host", named: "address", certificate: "host", words: "for another host" },
  { id: "wrong-name", named: "name", certificate: "host", words: "for another name" },
  { id: "wrong-address", named: "address", certificate: "other-address", words: "for other addresses" },
  { id: "address-for-a-name", named: "name", certificate: "address-alone", words: "for its address, when its name is asked for" },
  { id: "name-for-an-address", named: "address", certificate: "name-alone", words: "for its name, when its address is asked for" },
  { id: "address-as-a-name", named: "address", certificate: "address-as-name", words: "that has its address as a DNS name" },
  { id: "wildcard-below-the-name", named: "name", certificate: "wildcard-below", words: "for all names below its own" },
  { id: "longer-names", named: "name", certificate: "longer-name", words: "for names that contain its own" },
  { id: "name-before-nul", named: "name", certificate: "name-with-nul", words: "for a name that has its own before a NUL" },
];
/** The same, where only the common name is that of the host. */
const COMMON: readonly Wrong[] = [
  { id: "common-name-alone", named: "name", certificate: "common-name", words: "whose common name alone is its own" },
  {
    id: "common-name-beside-another-name",
    named: "name",
    certificate: "common-name-beside",
    words: "for another name, whose common name is its own",
  },
  {
    id: "common-name-beside-its-address",
    named: "name",
    certificate: "common-name-beside-address",
    words: "for its address, whose common name is its name",
  },
  { id: "address-as-common-name", named: "address", certificate: "common-name-address", words: "whose common name alone is its address" },
];

const covering =
  (level: Case["level"], ...covers: Case["covers"]) =>
  ({ id, named, certificate, words }: Wrong): Case[] =>
    OVERS.map((over) => ({
      id: `tls/client-${over}-server-${id}`,
      spec: "rfc9110#4.3.4",
      covers,
      level,
      role: "client",
      needs: ["verifies", over],
      title: `Over ${OVER_WORDS[over]}: the client sends no request to a server with a certificate ${words}.`,
      steps: [{ do: "serve", over, certificate, named }],
      control: [{ do: "serve", over, certificate: "good", named }],
      allowed: [{ see: { see: "no request" } }],
    }));

/** Certificates that do not name the server: a DNS name or an address in subjectAltName (rfc9110#4.3.4, #4.3.5), never a common name. */
export const cases: readonly Case[] = [
  ...WRONG.flatMap(covering("MUST", "rfc9110#4.3.4/identity-verified")),
  ...COMMON.flatMap(covering("MUST NOT", "rfc9110#4.3.4/no-common-name", "rfc9110#4.3.4/identity-verified")),
];
