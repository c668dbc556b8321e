import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { ClientSide, type ClientEvent } from "../../websocket/channel/index.ts";
import { SUBPROTOCOL } from "./tokens.ts";

/** The header fields of an opening handshake. */
export const UPGRADE = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
} as const;

/** Sends one request and returns the response with its text; drops an upgraded connection. `headers` may set Host. For tests. */
export async function ask(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<IncomingMessage & { text: string }> {
  const asked = httpRequest({ host: "127.0.0.1", port, path, headers });
  asked.end();
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  asked.once("error", reject).once("response", resolve);
  asked.once("upgrade", (response, socket) => {
    socket.destroy();
    resolve(response);
  });
  const response = await promise;
  let text = "";
  if (response.statusCode !== 101) {
    response.setEncoding("utf8").on("data", (part: string) => (text += part));
    await once(response, "end");
  }
  return Object.assign(response, { text });
}

/** A client over Node's own WebSocket, as in a browser. For tests. */
export class TestClient {
  readonly side: ClientSide;
  readonly events: ClientEvent[] = [];
  readonly #url: string;
  readonly #token: string;
  screen = "";
  protocol = "";
  code: number | undefined;
  socket: WebSocket | undefined;
  #seen: (() => void) | undefined;

  constructor(url: string, token: string, id = "test") {
    this.side = new ClientSide(id);
    this.#url = url;
    this.#token = token;
  }

  async connect(): Promise<void> {
    const socket = new WebSocket(`${this.#url}?${this.side.query}`, [SUBPROTOCOL, `token.${this.#token}`]);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.addEventListener("message", ({ data }: MessageEvent<string | ArrayBuffer>) => {
      this.side.heard(performance.now());
      if (typeof data === "string") {
        const event = this.side.text(data);
        if (event.is === "state" && event.isFresh) this.screen = "";
        if (event.is !== "nothing") this.events.push(event);
      } else {
        this.screen += Buffer.from(data).toString("latin1");
        this.side.shown(this.side.binary(new Uint8Array(data)));
      }
      this.#seen?.();
    });
    socket.addEventListener("close", ({ code }) => {
      this.side.lost();
      this.code = code;
      this.#seen?.();
    });
    await once(socket, "open");
    this.protocol = socket.protocol;
    this.side.connected({
      send: (message) => socket.send(message as string | Uint8Array<ArrayBuffer>),
      close: (code, reason) => socket.close(code, reason),
    });
  }
  type(text: string): void {
    this.side.type(Buffer.from(text));
  }
  /** Waits until `holds` returns true; an error names `what`. */
  async until(holds: () => boolean, what: string): Promise<void> {
    const limit = AbortSignal.timeout(8_000);
    while (!holds()) {
      if (limit.aborted) throw new Error(`${what} did not happen; the screen ends with ${JSON.stringify(this.screen.slice(-300))}`);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#seen = resolve;
      const timer = setTimeout(resolve, 200);
      await promise;
      clearTimeout(timer);
    }
  }
  shows(text: string): Promise<void> {
    return this.until(() => this.screen.includes(text), `showing ${JSON.stringify(text)}`);
  }
  get agentState(): string | undefined {
    return this.events.findLast((one) => one.is === "state")?.state.agent;
  }
}
