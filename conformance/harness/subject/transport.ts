import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { isIP } from "node:net";
import { Unreachable, WrongUse } from "../driver.ts";

/** Our certificate with its key for servers that want one, and the authorities of their certificates, in PEM. */
export type Credentials = { readonly cert?: string; readonly key?: string; readonly ca?: string };
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
};

/** A server under test, with its time limits. */
export type ServerOptions = {
  readonly url: string;
  /** The longest silence to wait for, in milliseconds. */
  readonly timeout: number;
  readonly verify?: Verify;
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
export function requireGood(status: number, { host, port, path }: Target, expected: number | undefined): void {
  const answered = `GET ${path} on ${host}:${port} is answered with ${status}`;
  if (expected !== undefined && status !== expected) throw new Unreachable(`${answered}, not with ${expected} as --expect-status says.`);
  if (expected === undefined && status >= 400)
    throw new Unreachable(`${answered}: name a path with a good answer, or add --expect-status ${status} if this is the good answer.`);
}

/** Reads the URL of a subject; throws `WrongUse` with what to write instead. */
export function targetOf(url: string, verify: Verify, spoken = HTTP2): Target {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || (parsed.protocol !== "http:" && parsed.protocol !== "https:")) {
    throw new WrongUse(`"${url}" is not the address of a server: write http://host:port/ (${spoken.clear}) or https://host:port/.`);
  }
  const scheme = parsed.protocol === "https:" ? "https" : "http";
  return {
    scheme,
    host: parsed.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: parsed.port === "" ? (scheme === "https" ? 443 : 80) : Number(parsed.port),
    authority: parsed.host,
    path: parsed.pathname + parsed.search,
    verify,
  };
}

/** Connects, over TLS with ALPN. Throws `Unreachable` with what failed. */
export function dial(target: Target, timeout: number, spoken = HTTP2): Promise<Socket | TLSSocket> {
  return new Promise((resolve, reject) => {
    const { host, port } = target;
    const tls = target.scheme === "https";
    const socket = tls
      ? connectTls({
          host,
          port,
          ALPNProtocols: [spoken.alpn],
          ...securedBy(target.verify),
          ...(isIP(host) === 0 ? { servername: host } : {}),
        })
      : connectTcp({ host, port });
    socket.setNoDelay(true);
    const fail = (why: string): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(new Unreachable(why));
    };
    const timer = setTimeout(
      () => fail(`${host}:${port} did not accept a connection within ${timeout} ms: is it the right address?`),
      timeout,
    );
    socket.once("error", (error: NodeJS.ErrnoException) => fail(connectionFailure(error, target, spoken)));
    socket.once("close", () => fail(`${host}:${port} closed the connection before it was ready.`));
    socket.once(tls ? "secureConnect" : "connect", () => {
      const chosen = "alpnProtocol" in socket ? socket.alpnProtocol : spoken.alpn;
      if (chosen !== spoken.alpn && !(spoken.byDefault && !chosen)) {
        fail(
          `${host}:${port} speaks TLS but did not select ${spoken.alpn} by ALPN: it is not an ${spoken.name} server, or ${spoken.name} is disabled there.`,
        );
        return;
      }
      clearTimeout(timer);
      socket.removeAllListeners("error");
      socket.removeAllListeners("close");
      resolve(socket);
    });
  });
}

function connectionFailure(error: NodeJS.ErrnoException, { host, port, scheme, verify }: Target, { name }: Spoken): string {
  const where = `${host}:${port}`;
  const code = error.code ?? "";
  if (code === "ECONNREFUSED") return `Nothing listens on ${where}: start the server, or check the address.`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `The name ${host} was not found: check the address.`;
  if (scheme === "https" && /ALERT_(?:CERTIFICATE|BAD_CERTIFICATE|UNKNOWN_CA)/.test(code))
    return `${where} wants a client certificate that it trusts (${code}): give one with --cert and --key.`;
  if (scheme === "https" && securedBy(verify).rejectUnauthorized && /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO/.test(code)) {
    return `The certificate of ${where} is not trusted (${error.message}): leave out --verify to check the protocol anyway.`;
  }
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
