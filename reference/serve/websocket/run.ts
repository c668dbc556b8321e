import { readFileSync } from "node:fs";
import type { ServerTls } from "../../io/index.ts";
import { collectOften, stayYoung } from "../collect.ts";
import type { Options } from "./command.ts";
import { echo } from "./echo.ts";
import { serveWebSocket } from "./server.ts";

/** Runs the echo endpoint until it is told to stop. */
export async function run(options: Options): Promise<void> {
  try {
    collectOften();
    stayYoung();
    const { port, host, json, deflate, deflateThreshold: threshold, protocol, allowOrigin, maxMessage, maxConnections } = options;
    const server = await serveWebSocket(echo, {
      port,
      host,
      paths: ["/", "/echo"],
      text: "octets",
      ...tls(options),
      ...(deflate === true && { deflate: { threshold } }),
      ...(protocol.length > 0 && { protocols: protocol }),
      ...(allowOrigin.length > 0 && { origins: allowOrigin }),
      ...(maxMessage !== undefined && { limits: { messageOctets: maxMessage } }),
      ...(maxConnections !== undefined && { maxConnections }),
      // What clients do to their connections is no news.
      onError: () => {},
      graceMs: 1_000,
    });
    const { url, address, port: open } = server;
    console.log(json === true ? JSON.stringify({ url, host: address, port: open, pid: process.pid }) : `Listening at ${url}`);
    const stop = (): void => void server.close();
    process.once("SIGTERM", stop).once("SIGINT", stop);
  } catch (error) {
    console.error(`touchstone serve websocket: ${(error as Error).message}`);
    process.exitCode = 2;
  }
}

function tls({ tls, cert, key }: Options): { readonly tls?: boolean | ServerTls } {
  if ((cert === undefined) !== (key === undefined)) throw new Error("--cert and --key go together: give both");
  if (cert !== undefined && key !== undefined) return { tls: { cert: pem(cert), key: pem(key) } };
  return tls === true ? { tls: true } : {};
}

function pem(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}): give a file in PEM`, { cause: error });
  }
}
