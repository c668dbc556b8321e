import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { isIP } from "node:net";
import { Unreachable, WrongUse } from "../../harness/driver.ts";
import type { Target } from "./stage.ts";

/** Reads a URL as the place of a subject; throws `WrongUse` with what to write instead. */
export function targetOf(url: string, verify: boolean): Target {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || (parsed.protocol !== "http:" && parsed.protocol !== "https:")) {
    throw new WrongUse(
      `"${url}" is not an address of a server: write http://host:port/ (HTTP/2 with prior knowledge) or https://host:port/.`,
    );
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

/** Connects, with ALPN `h2` over TLS. Throws `Unreachable` saying what failed. */
export function dial(target: Target, timeout: number): Promise<Socket | TLSSocket> {
  return new Promise((resolve, reject) => {
    const { host, port } = target;
    const tls = target.scheme === "https";
    const socket = tls
      ? connectTls({
          host,
          port,
          ALPNProtocols: ["h2"],
          rejectUnauthorized: target.verify,
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
      () => fail(`${host}:${port} did not take a connection within ${timeout} ms: is it the right address?`),
      timeout,
    );
    socket.once("error", (error: NodeJS.ErrnoException) => fail(connectionFailure(error, target)));
    socket.once("close", () => fail(`${host}:${port} closed the connection before it was ready.`));
    socket.once(tls ? "secureConnect" : "connect", () => {
      if (tls && (socket as TLSSocket).alpnProtocol !== "h2") {
        fail(`${host}:${port} speaks TLS but did not choose h2 by ALPN: it is not an HTTP/2 server, or HTTP/2 is switched off there.`);
        return;
      }
      clearTimeout(timer);
      socket.removeAllListeners("error");
      socket.removeAllListeners("close");
      resolve(socket);
    });
  });
}

function connectionFailure(error: NodeJS.ErrnoException, { host, port, scheme, verify }: Target): string {
  const where = `${host}:${port}`;
  const code = error.code ?? "";
  if (code === "ECONNREFUSED") return `Nothing listens on ${where}: start the server, or check the address.`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `The name ${host} was not found: check the address.`;
  if (scheme === "https" && verify && /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO/.test(code)) {
    return `The certificate of ${where} is not trusted (${error.message}): leave out --verify to check the protocol all the same.`;
  }
  if (scheme === "https" && code.includes("SSL")) {
    return /WRONG_VERSION_NUMBER|packet length/i.test(`${code} ${error.message}`)
      ? `${where} does not speak TLS: write http:// for HTTP/2 in clear text.`
      : `The TLS handshake with ${where} failed: ${error.message.replace(/^.*?:error:/, "").trim()}.`;
  }
  return `The connection to ${where} failed: ${error.message}.`;
}
