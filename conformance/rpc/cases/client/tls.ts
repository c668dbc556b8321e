import type { RequirementRef } from "../../../harness/case.ts";
import type { Ask, Step } from "../../client-vocabulary.ts";
import type { CertificateName } from "../../../tls/vocabulary.ts";
import { all, answer, ask, ends, good, holds, requests, type Row } from "./phrases.ts";

/** Channels over TLS: whom a client trusts, and how it shows who it is. The suite tls has more of it. */

type Tls = NonNullable<Ask["tls"]>;
const over = (tls: Tls, fence?: false): Ask => ask({}, { tls, ...(fence === undefined ? {} : { fence }) });
const GOOD: readonly Step[] = [over({ certificate: "good" }), ...good()];
const UNAVAILABLE = ends("UNAVAILABLE", "rpc-http2#connection-failure");

const WRONG: readonly (readonly [CertificateName, string, RequirementRef])[] = [
  ["expired", "that has expired", "rfc5280#6.1.3/within-validity"],
  ["stranger", "of an unknown authority", "rfc5280#6.1/valid-path"],
  ["namesake", "of an authority that only has the name of a known one", "rfc5280#6.1.3/signature"],
  ["self", "that is signed by itself", "rfc5280#6.1/valid-path"],
  ["host", "for another host", "rfc9110#4.3.4/identity-verified"],
];

export const rows: readonly Row[] = [
  {
    id: "tls-good",
    title: "A call over TLS to a server with a good certificate is a success.",
    covers: "rpc-http2#outline/response",
    needs: ["tls"],
    steps: GOOD,
    allowed: answer(),
  },
  {
    id: "tls-scheme",
    title: "The scheme of a request over TLS is https.",
    covers: "rpc-http2#requests/headers",
    needs: ["tls"],
    steps: GOOD,
    allowed: all(answer(), holds("scheme")),
  },
  ...WRONG.map(([certificate, words, covers]): Row => ({
    id: `tls-certificate-${certificate}`,
    title: `A call to a server with a certificate ${words} fails with UNAVAILABLE, without a request.`,
    covers: [covers, "rpc-http2#connection-failure/client"],
    needs: ["tls"],
    steps: [over({ certificate }, false)],
    control: GOOD,
    allowed: [
      { see: all(answer({ status: "UNAVAILABLE" }), requests(0)) },
      { see: all({ see: "failed", status: "any" }, requests(0)), by: "rpc-http2#connection-failure", verdict: "warn" },
    ],
  })),
  {
    id: "tls-certificate-of-client",
    title: "A client presents its certificate to a server that requires one.",
    covers: "rfc8446#4.4.2/certificate-on-request",
    needs: ["tls", "client-certificate"],
    steps: [over({ certificate: "good", requires: true, gives: true }), ...good()],
    allowed: answer(),
  },
  {
    id: "tls-certificate-of-client-missing",
    title: "A call without the certificate that the server requires gives UNAVAILABLE.",
    covers: "rpc-http2#connection-failure/client",
    needs: ["tls", "client-certificate"],
    steps: [over({ certificate: "good", requires: true }, false)],
    control: [over({ certificate: "good", requires: true, gives: true }), ...good()],
    allowed: UNAVAILABLE,
  },
  {
    id: "tls-without-http2",
    title: "A call to a server that speaks no HTTP/2 over TLS gives UNAVAILABLE.",
    covers: "rpc-http2#connection-failure/client",
    needs: ["tls"],
    steps: [over({ certificate: "good", alpn: "http/1.1" }, false)],
    control: GOOD,
    allowed: UNAVAILABLE,
  },
];
