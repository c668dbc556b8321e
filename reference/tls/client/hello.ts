import type { Writer } from "../../core/index.ts";
import { CERTIFICATE_ONLY_SCHEMES, GROUPS, PSK_WITH_KEY_EXCHANGE, SCHEMES, TLS13 } from "../names.ts";
import { OUR_SCHEMES } from "../authenticate.ts";
import { sized16, sized8 } from "../codec.ts";
import { EXTENSIONS, extension, type ExtensionName } from "../extensions.ts";
import { clientHello } from "../messages.ts";
import type { ClientSide } from "./side.ts";

const octetsOf = (text: string): Uint8Array => Buffer.from(text, "latin1");

/** Sends the first ClientHello, or the second one with what a HelloRetryRequest wants (rfc8446#4.1.2). */
export function sendHello(c: ClientSide, cookie?: Uint8Array): void {
  const { e, session } = c;
  const parts = extensionsOf(c, cookie);
  c.offered = new Set(parts.map(([name]) => EXTENSIONS[name].id));
  const hello = clientHello({ random: c.random, suites: c.suites }, (w) => {
    for (const [name, body] of parts) extension(w, name, body && (() => body(w)));
  });
  if (session !== undefined) bind(c, hello);
  e.send("initial", hello);
  if (!c.isEarly || session === undefined) return;
  const { suite } = session.is;
  e.earlySecret(session.schedule, suite, e.transcript.digestWith(session.schedule.derivation.hash, new Uint8Array(0)));
}

type Part = readonly [ExtensionName, ((w: Writer) => void)?];

function extensionsOf(c: ClientSide, cookie: Uint8Array | undefined): readonly Part[] {
  const { name, options, session } = c;
  const parts: Part[] = [
    ["supported_versions", (w) => w.u8(2).u16(TLS13)],
    [
      "supported_groups",
      (w) =>
        numbers(
          w,
          c.groups.map((group) => GROUPS[group]),
        ),
    ],
    ["key_share", (w) => sized16(w, () => c.shares.forEach(({ group, share }) => sized16(w.u16(GROUPS[group]), () => w.bytes(share))))],
    [
      "signature_algorithms",
      (w) =>
        numbers(
          w,
          OUR_SCHEMES.map((scheme) => SCHEMES[scheme]),
        ),
    ],
    ["signature_algorithms_cert", (w) => numbers(w, [...OUR_SCHEMES.map((scheme) => SCHEMES[scheme]), ...CERTIFICATE_ONLY_SCHEMES])],
    [
      "application_layer_protocol_negotiation",
      (w) => sized16(w, () => options.alpn.forEach((text) => sized8(w, () => w.bytes(octetsOf(text))))),
    ],
    ["psk_key_exchange_modes", (w) => w.u8(1).u8(PSK_WITH_KEY_EXCHANGE)],
    ["quic_transport_parameters", (w) => w.bytes(options.parameters)],
  ];
  if (name !== undefined) parts.unshift(["server_name", (w) => sized16(w, () => sized16(w.u8(0), () => w.bytes(octetsOf(name))))]);
  if (cookie !== undefined) parts.push(["cookie", (w) => sized16(w, () => w.bytes(cookie))]);
  if (c.isEarly) parts.push(["early_data"]);
  if (session !== undefined) parts.push(["pre_shared_key", (w) => offer(c, w, session.schedule.derivation.length)]);
  return parts;
}

const numbers = (w: Writer, values: readonly number[]): void => sized16(w, () => values.forEach((value) => w.u16(value)));

/** The identity of the session, with a binder of zeros (rfc8446#4.2.11). */
function offer({ e, session }: ClientSide, w: Writer, binderLength: number): void {
  if (session === undefined) return;
  const { ticket, receivedAt, ageAdd } = session.is;
  sized16(w, () => {
    sized16(w, () => w.bytes(ticket));
    w.u32((Math.round(e.now - receivedAt) + ageAdd) >>> 0);
  });
  sized16(w, () => sized8(w, () => w.bytes(new Uint8Array(binderLength))));
}

/** Replaces the zeros at the end by the binder over everything before the list of binders (rfc8446#4.2.11.2). */
function bind({ e, session }: ClientSide, hello: Uint8Array): void {
  if (session === undefined) return;
  const { schedule } = session;
  const { derivation } = schedule;
  const listLength = 3 + derivation.length;
  const transcript = e.transcript.digestWith(derivation.hash, hello.subarray(0, hello.length - listLength));
  hello.set(derivation.finished(schedule.binderKey(), transcript), hello.length - derivation.length);
}
