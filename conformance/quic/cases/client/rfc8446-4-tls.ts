import { sectionOf } from "../../../harness/case.ts";
import { app } from "../phrases.ts";
import { accept, acceptWith, after, clientError, fence, first, refusedHandshake, tls } from "../phrases-client.ts";
import type { AcceptSpec, Case, CodeName, Row } from "../../vocabulary.ts";

type Forgery = NonNullable<AcceptSpec["tls"]>;
/** A handshake of TLS that the client refuses with an alert. */
const forged = (
  row: Row<"covers"> & { readonly with: Forgery; readonly instead?: Forgery; readonly alert: CodeName | readonly CodeName[] },
): Case => {
  const { with: wrong, instead, alert, ...rest } = row;
  const control = instead === undefined ? {} : { instead: { tls: instead } };
  return refusedHandshake({ spec: sectionOf(row.covers[0]), with: { tls: wrong }, code: alert, ...control, ...rest });
};
/** A message of TLS after the handshake. */
const late = (row: Row<"covers"> & { readonly hex: string; readonly code: CodeName | readonly CodeName[] }): Case => {
  const { hex, code, ...rest } = row;
  return after({ spec: sectionOf(row.covers[0]), steps: [fence, app(tls(hex))], control: [fence], allowed: clientError(code), ...rest });
};
/** Why a certificate is refused: TLS does not fix one alert for each reason (rfc8446#4.4.2.4). */
const CERTIFICATE_ALERTS: readonly CodeName[] = [
  "alert bad_certificate",
  "alert unsupported_certificate",
  "alert certificate_expired",
  "alert certificate_unknown",
  "alert unknown_ca",
];
/** A ticket with this many octets of early data. */
const ticket = (early: string): string => `0400001a${"00001c20"}${"00000000"}${"0100"}${"0004"}${"01020304"}${"0008"}${"002a0004"}${early}`;

/** TLS as a client of QUIC uses it (rfc8446#4, rfc9001#4, #8). */
export const cases: readonly Case[] = [
  ...(
    [
      ["expired", "expired", "has expired"],
      ["untrusted", "stranger", "comes from an authority that the client does not trust"],
      ["of-another-name", "other name", "names another server"],
    ] as const
  ).map(([slug, certificate, words]) =>
    refusedHandshake({
      id: `quic/client-certificate-${slug}`,
      spec: "rfc9001#4.4",
      covers: ["rfc9001#4.4/authenticates"],
      title: `The client refuses a server whose certificate ${words}.`,
      needs: ["verifies"],
      with: { certificate },
      code: CERTIFICATE_ALERTS,
    }),
  ),
  forged({
    id: "quic/client-alpn-absent",
    covers: ["rfc9001#8.1/not-negotiated"],
    title: "The client ends a handshake in which the server selects no protocol with no_application_protocol.",
    with: { extensions: { without: ["application_layer_protocol_negotiation"] } },
    alert: "alert no_application_protocol",
  }),
  forged({
    id: "quic/client-alpn-not-offered",
    covers: ["rfc9001#8.1/not-negotiated"],
    title: "The client refuses a protocol that it has not offered.",
    with: { extensions: { replace: { application_layer_protocol_negotiation: "00050474636873" } } },
    alert: ["alert no_application_protocol", "alert illegal_parameter"],
  }),
  forged({
    id: "quic/client-transport-parameters-absent",
    covers: ["rfc9001#8.2/missing"],
    title: "The client refuses a server without quic_transport_parameters with missing_extension.",
    with: { extensions: { without: ["quic_transport_parameters"] } },
    alert: "alert missing_extension",
  }),
  forged({
    id: "quic/client-extension-unsolicited",
    covers: ["rfc8446#4.2/unsolicited"],
    title: "The client refuses an extension in EncryptedExtensions that it has not asked for with unsupported_extension.",
    with: { extensions: { add: { type: 0x7a7a, hex: "00" } } },
    alert: "alert unsupported_extension",
  }),
  forged({
    id: "quic/client-octets-after-the-extensions",
    covers: ["rfc8446#6/decode-error"],
    title: "The client refuses EncryptedExtensions with octets after its extensions with decode_error.",
    with: { extensions: { trailing: "00" } },
    alert: "alert decode_error",
  }),
  forged({
    id: "quic/client-suite-not-offered",
    covers: ["rfc8446#4.1.3/suite-offered"],
    title: "The client refuses a cipher suite that it has not offered with illegal_parameter.",
    with: { hello: { suite: "1305" } },
    alert: "alert illegal_parameter",
  }),
  forged({
    id: "quic/client-session-id-echoed-wrong",
    covers: ["rfc8446#4.1.3/session-echo"],
    title: "The client refuses a ServerHello with another legacy session ID than its own with illegal_parameter.",
    with: { hello: { session: "00".repeat(32) } },
    alert: "alert illegal_parameter",
  }),
  forged({
    id: "quic/client-share-of-another-group",
    covers: ["rfc8446#4.2.8/share-offered"],
    title: "The client refuses a key share of a group that it has not offered with illegal_parameter.",
    with: { hello: { replace: { key_share: `001a0038${"02".repeat(56)}` } } },
    alert: "alert illegal_parameter",
  }),
  forged({
    id: "quic/client-older-tls",
    covers: ["rfc9001#4.2/older"],
    title: "The client refuses a ServerHello without supported_versions, which is one of TLS 1.2.",
    with: { hello: { without: ["supported_versions"] } },
    alert: ["alert protocol_version", "alert missing_extension", "alert illegal_parameter", "alert unsupported_extension"],
  }),
  first({
    id: "quic/client-hello-retry",
    spec: "rfc8446#4.1.4",
    covers: ["rfc8446#4.1.4/cookie"],
    title: "The client answers a HelloRetryRequest with a cookie, and completes the handshake.",
    steps: [acceptWith({ tls: { retries: 1 } })],
  }),
  forged({
    id: "quic/client-second-hello-retry",
    covers: ["rfc8446#4.1.4/second"],
    title: "The client refuses a second HelloRetryRequest with unexpected_message.",
    with: { retries: 2 },
    instead: { retries: 1 },
    alert: "alert unexpected_message",
  }),
  forged({
    id: "quic/client-hello-retry-without-change",
    covers: ["rfc8446#4.1.4/no-change"],
    title: "The client refuses a HelloRetryRequest that would change nothing with illegal_parameter.",
    with: { retries: 1, retryWith: "" },
    instead: { retries: 1 },
    alert: "alert illegal_parameter",
  }),
  forged({
    id: "quic/client-signature-wrong",
    covers: ["rfc8446#4.4.3/verified"],
    title: "The client refuses a CertificateVerify whose signature is wrong with decrypt_error.",
    with: { corrupt: "CertificateVerify" },
    alert: "alert decrypt_error",
  }),
  forged({
    id: "quic/client-finished-wrong",
    covers: ["rfc8446#4.4.4/verified"],
    title: "The client refuses a Finished message that is not authentic with decrypt_error.",
    with: { corrupt: "Finished" },
    alert: "alert decrypt_error",
  }),
  ...(
    [
      ["without-certificate", "without", "Certificate", "leaves out its Certificate"],
      ["without-proof", "without", "CertificateVerify", "leaves out its CertificateVerify"],
      ["with-two-encrypted-extensions", "twice", "EncryptedExtensions", "sends EncryptedExtensions twice"],
    ] as const
  ).map(([slug, what, message, words]) =>
    forged({
      id: `quic/client-handshake-${slug}`,
      covers: ["rfc8446#4/order"],
      title: `The client refuses a server that ${words} with unexpected_message.`,
      with: { [what]: message },
      alert: "alert unexpected_message",
    }),
  ),
  ...(
    [
      ["quic/client-tls-key-update", "1800000100", "KeyUpdate"],
      ["quic/client-tls-key-update-requested", "1800000101", "a KeyUpdate that asks for another"],
    ] as const
  ).map(([id, hex, words]) =>
    late({
      id,
      covers: ["rfc9001#6/no-key-update-message"],
      title: `The client treats ${words} of TLS as a connection error of type unexpected_message.`,
      hex,
      code: "alert unexpected_message",
    }),
  ),
  late({
    id: "quic/client-certificate-request-after-the-handshake",
    covers: ["rfc9001#4.4/no-later-request"],
    title: "The client treats a CertificateRequest after the handshake as PROTOCOL_VIOLATION.",
    hex: "0d00000b00" + "0008" + "000d0004" + "00020403",
    code: "PROTOCOL_VIOLATION",
  }),
  {
    ...late({
      id: "quic/client-ticket-with-another-early-limit",
      covers: ["rfc9001#4.6.1/early-octets"],
      title: "The client treats a NewSessionTicket with a max_early_data_size other than 0xffffffff as PROTOCOL_VIOLATION.",
      hex: ticket("00001000"),
      code: "PROTOCOL_VIOLATION",
    }),
    control: [accept, fence, app(tls(ticket("ffffffff")))],
  },
];
