import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { isIP } from "node:net";
import type { RequestField } from "../../wire/request-fields.ts";
import { Unreachable, WrongUse } from "../driver.ts";
import type { Place, Reach } from "./reach.ts";

/**
 * Our certificate with its key for servers that want one, and the authorities of their certificates, in PEM. `servername` is the name in the TLS
 * handshake (rfc6066#3), if that is not the host of the address.
 */
export type Credentials = { readonly cert?: string; readonly key?: string; readonly ca?: string; readonly servername?: string };
/** Whether to refuse a certificate that is not trusted; with credentials for servers that want a client certificate. */
export type Verify = boolean | (Credentials & { readonly verify: boolean });

/** The options of TLS for `Verify`. */
export function securedBy(verify: Verify): Credentials & { readonly rejectUnauthorized: boolean } {
  if (typeof verify === "boolean") return { rejectUnauthorized: verify };
  const { verify: rejectUnauthorized, ...credentials } = verify;
  return { ...credentials, rejectUnauthorized };
}

/** The address of a server under test, in the parts that requests need. */
export type Target = {
  readonly scheme: "http" | "https";
  readonly host: string;
  readonly port: number;
  readonly authority: string;
  readonly path: string;
  /** A path that accepts POST, if that is another one. */
  readonly post?: string;
  readonly verify: Verify;
  /** Fields that every request has. */
  readonly fields: readonly RequestField[];
  /** Where connections go, if that is not the host and port of the address. */
  readonly place?: Place;
};

/** A server under test, with its time limits. */
export type ServerOptions = {
  readonly url: string;
  /** The longest silence to wait for, in milliseconds. */
  readonly timeout: number;
  readonly verify?: Verify;
  readonly reach?: Reach;
  /** The status of its good answer, if that is not one below 400. */
  readonly expectStatus?: number;
  /** A path that accepts POST, and one that answers POST with its content, if those are others. */
  readonly post?: string;
  readonly echo?: string;
  /** The process of the subject, to measure the cost of abuse. */
  readonly pid?: number;
  /** Cuts `wait` steps short, in milliseconds: for subjects that are known to do nothing, however long one waits. */
  readonly longestWait?: number;
};

/** A protocol: its name, its ALPN name (rfc7301), and whether a server that selects nothing by ALPN speaks it too. */
export type Spoken = { readonly name: string; readonly clear: string; readonly alpn: string; readonly byDefault: boolean };
export const HTTP2: Spoken = { name: "HTTP/2", clear: "HTTP/2 with prior knowledge", alpn: "h2", byDefault: false };
export const HTTP1: Spoken = { name: "HTTP/1.1", clear: "HTTP/1.1 in clear text", alpn: "http/1.1", byDefault: true };

/**
 * Throws `Unreachable` unless the answer to the plain request is a good one: every case compares with it, and an answer that refuses
 * everything would prove anything.
 */
export function requireGood(status: number, target: Target, expected: number | undefined): void {
  const answered = `GET ${target.path} on ${placeInWords(target)} is answered with ${status}`;
  if (expected !== undefined && status !== expected) throw new Unreachable(`${answered}, not with ${expected} as --expect-status says.`);
  if (expected === undefined && (status === 401 || status === 403))
    throw new Unreachable(`${answered}: give credentials with --auth or -H, or add --expect-status ${status} if this is the good answer.`);
  if (expected === undefined && status >= 400)
    throw new Unreachable(`${answered}: name a path with a good answer, or add --expect-status ${status} if this is the good answer.`);
}

/** Reads the URL of a subject; throws `WrongUse` with what to write instead. */
export function targetOf(url: string, verify: Verify, spoken = HTTP2, { fields = [], place }: Reach = {}): Target {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || (parsed.protocol !== "http:" && parsed.protocol !== "https:")) {
    throw new WrongUse(`"${url}" is not the address of a server: write http://host:port/ (${spoken.clear}) or https://host:port/.`);
  }
  if (parsed.username !== "" || parsed.password !== "")
    throw new WrongUse("Give credentials with --auth, not in the address: reports show the address.");
  const scheme = parsed.protocol === "https:" ? "https" : "http";
  return {
    scheme,
    host: parsed.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: parsed.port === "" ? (scheme === "https" ? 443 : 80) : Number(parsed.port),
    authority: parsed.host,
    path: parsed.pathname + parsed.search,
    verify,
    fields,
    ...(place === undefined ? {} : { place }),
  };
}

/** Where the connections to a target go, as the options of a socket. */
export function placeOf({ host, port, place }: Target): { readonly host: string; readonly port: number } | { readonly path: string } {
  if (place === undefined) return { host, port };
  return "socket" in place ? { path: place.socket } : place;
}

/** The same in words. */
export const placeInWords = (target: Target): string => {
  const at = placeOf(target);
  return "path" in at ? at.path : `${at.host}:${at.port}`;
};

/** Connects, over TLS with ALPN. Throws `Unreachable` with what failed. */
export function dial(target: Target, timeout: number, spoken = HTTP2): Promise<Socket | TLSSocket> {
  return new Promise((resolve, reject) => {
    const { host } = target;
    const where = placeInWords(target);
    const tls = target.scheme === "https";
    const socket = tls
      ? connectTls({
          ...placeOf(target),
          ALPNProtocols: [spoken.alpn],
          ...(isIP(host) === 0 ? { servername: host } : {}),
          ...securedBy(target.verify),
        })
      : connectTcp(placeOf(target));
    socket.setNoDelay(true);
    const fail = (why: string): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(new Unreachable(why));
    };
    const timer = setTimeout(() => fail(`${where} did not accept a connection within ${timeout} ms: is it the right address?`), timeout);
    socket.once("error", (error: NodeJS.ErrnoException) => fail(connectionFailure(error, target, spoken)));
    socket.once("close", () => fail(`${where} closed the connection before it was ready.`));
    socket.once(tls ? "secureConnect" : "connect", () => {
      const chosen = "alpnProtocol" in socket ? socket.alpnProtocol : spoken.alpn;
      if (chosen !== spoken.alpn && !(spoken.byDefault && !chosen)) {
        fail(notSelected(where, spoken));
        return;
      }
      clearTimeout(timer);
      socket.removeAllListeners("error");
      socket.removeAllListeners("close");
      resolve(socket);
    });
  });
}

const notSelected = (where: string, { alpn, name }: Spoken): string =>
  `${where} speaks TLS but did not select ${alpn} by ALPN: it is not an ${name} server, or ${name} is disabled there.`;

/** The alert no_application_protocol (rfc7301#3.2). */
const NO_APPLICATION_PROTOCOL = /alert no application protocol/i;

function connectionFailure(error: NodeJS.ErrnoException, target: Target, spoken: Spoken): string {
  const { name } = spoken;
  const { scheme, verify, place } = target;
  const where = placeInWords(target);
  const code = error.code ?? "";
  if (code === "ECONNREFUSED") return `Nothing listens on ${where}: start the server, or check the address.`;
  if (place !== undefined && "socket" in place && (code === "ENOENT" || code === "EACCES"))
    return `The socket ${where} cannot be opened (${code}): check the path, and start the server.`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `The name ${place !== undefined && "host" in place ? place.host : target.host} was not found: check the address.`;
  if (scheme === "https" && /ALERT_(?:CERTIFICATE|BAD_CERTIFICATE|UNKNOWN_CA)/.test(code))
    return `${where} wants a client certificate that it trusts (${code}): give one with --cert and --key.`;
  if (scheme === "https" && securedBy(verify).rejectUnauthorized && /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO/.test(code)) {
    return `The certificate of ${where} is not trusted (${error.message}): leave out --verify to check the protocol anyway.`;
  }
  if (scheme === "https" && NO_APPLICATION_PROTOCOL.test(error.message)) return notSelected(where, spoken);
  if (scheme === "https" && code.includes("SSL")) {
    return /WRONG_VERSION_NUMBER|packet length/i.test(`${code} ${error.message}`)
      ? `${where} does not speak TLS: write http:// for ${name} in clear text.`
      : `The TLS handshake with ${where} failed: ${error.message.replace(/^.*?:error:/, "").trim()}.`;
  }
  return `The connection to ${where} failed: ${error.message}.`;
}

/** Connects, with up to two more attempts: a server that restarts a worker is unreachable for a moment. */
export async function dialPatiently(target: Target, timeout: number, spoken = HTTP2): ReturnType<typeof dial> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await dial(target, timeout, spoken);
    } catch (error) {
      if (attempt === 2 || !(error instanceof Unreachable)) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, 50 * (attempt + 1));
      });
    }
  }
}
