import { Unreachable } from "../../harness/driver.ts";
import { placeInWords, securedBy, type Target, type Verify } from "../../harness/subject/transport.ts";
import { Http3End, type Observed, type Transcript } from "../../wire/http3/end.ts";
import { type Dialling, dialQuic, type LineClosed } from "../../wire/quic/line.ts";
import { withoutCredit } from "../../wire/quic/parameters.ts";

/** Connections to a server over QUIC. */

/** Codes of QUIC from here on carry an alert of TLS (rfc9001#4.8). */
const CRYPTO_ERROR = 0x100;
const NO_APPLICATION_PROTOCOL = 120;
const CERTIFICATE_REQUIRED = 116;
const ATTEMPTS = 3;

/** What connects. */
export type Caller = {
  readonly target: Target;
  readonly timeout: number;
  /** How often to try; three times by default. */
  readonly attempts?: number;
  /** Leaves DATA out of the transcript. */
  readonly carries?: true;
  readonly recorder: Transcript;
  readonly text: (value: string) => string;
  /** Takes down what happened on the connection. */
  saw(observed: Observed, on: number, ours: boolean): void;
  /** Forgets it. */
  forget(): void;
  poke(): void;
  until(test: () => boolean, ms: number): Promise<boolean>;
};

/**
 * Connects, with up to two more attempts: a server that restarts a worker is unreachable for a moment. `isClosed`: without credit for responses.
 * Throws `Unreachable` with what failed.
 */
export async function dialHttp3(caller: Caller, isClosed = false): Promise<Http3End> {
  const { attempts = ATTEMPTS } = caller;
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(caller, isClosed);
    } catch (error) {
      if (attempt === attempts || !(error instanceof Unreachable)) throw error;
    }
  }
}

async function once(caller: Caller, isClosed: boolean): Promise<Http3End> {
  const { target, timeout } = caller;
  const connecting: { wire?: Http3End; closed?: LineClosed } = {};
  const line = await dialQuic({
    place: elsewhere(target) ?? target,
    serverName: securedBy(target.verify).servername ?? target.host,
    ...securedFor(target.verify),
    ...(isClosed ? { parameters: withoutCredit } : {}),
    on: (event) => {
      if (event.is === "closed") connecting.closed = event;
      connecting.wire?.receive(event);
      caller.poke();
    },
  }).catch((error: unknown) => {
    throw new Unreachable(
      `${(elsewhere(target) ?? target).host} was not found (${error instanceof Error ? error.message : String(error)}): check the address.`,
    );
  });
  const { recorder: transcript, text } = caller;
  const wire = new Http3End(line, {
    we: "client",
    transcript,
    text,
    fields: target.fields,
    ...(caller.carries === true && { carries: true }),
    on: (observed) => caller.saw(observed, 0, wire.endedByUs),
  });
  connecting.wire = wire;
  await caller.until(() => wire.established || connecting.closed !== undefined, timeout);
  if (wire.established) return wire;
  // Ending it ourselves would be its end, too.
  const { closed } = connecting;
  await wire.drop();
  caller.forget();
  throw new Unreachable(failure(closed, target, timeout));
}

/** Where connections go, if that is not the host and port of the address. */
const elsewhere = ({ place }: Target): Extract<Target["place"], { readonly host: string }> | undefined =>
  place !== undefined && "host" in place ? place : undefined;

/** Whom we trust, and who we are. */
function securedFor(verify: Verify): Pick<Dialling, "trusts" | "identity"> {
  const { rejectUnauthorized, ca, cert, key } = securedBy(verify);
  const identity = cert === undefined || key === undefined ? {} : { identity: { cert, key } };
  if (!rejectUnauthorized) return { trusts: false, ...identity };
  return { trusts: ca === undefined ? "system" : [ca], ...identity };
}

function failure(closed: LineClosed | undefined, target: Target, timeout: number): string {
  const where = placeInWords(target);
  if (closed === undefined)
    return `${where} did not answer over UDP within ${timeout} ms: does it speak HTTP/3, and is the address right? (HTTP/3 has no clear text.)`;
  if (closed.by === "version") return `${where} speaks QUIC, but neither version 1 nor 2.`;
  const alert = closed.layer === "transport" && closed.code >= CRYPTO_ERROR ? closed.code - CRYPTO_ERROR : undefined;
  if (alert === NO_APPLICATION_PROTOCOL) return `${where} speaks QUIC but does not select h3 by ALPN: it is not an HTTP/3 server.`;
  if (alert === CERTIFICATE_REQUIRED) return `${where} wants a client certificate: give one with --cert and --key.`;
  if (alert !== undefined && closed.by === "us")
    return `The certificate of ${where} is not trusted (${closed.reason}): leave out --verify to check the protocol anyway.`;
  if (alert !== undefined) return `${where} refused the TLS handshake (alert ${alert}).`;
  const said = closed.reason === "" ? "" : ` (${closed.reason})`;
  return `The connection to ${where} ended before it was ready: code 0x${closed.code.toString(16)}${said}.`;
}
