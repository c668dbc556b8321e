import { createServer, type Server, type Socket } from "node:net";
import { Unreachable } from "../../harness/driver.ts";
import { portOf } from "../../peers/index.ts";
import { survivingWrites } from "../../wire/sockets.ts";
import type { OriginMood } from "../proxy-vocabulary.ts";
import { ClientConnection, type Request } from "./client-connection.ts";

/** What one performance does with the requests that reach the origin. */
export type OriginScene = {
  readonly transcript: ConstructorParameters<typeof ClientConnection>[2]["recorder"];
  readonly text: (value: string) => string;
  arrived(request: Request): void;
  /** What came on a connection that is not HTTP/2. */
  garbage(words: string): void;
  poke(): void;
};

const NOT_HTTP2 = "SSH-2.0-OpenSSH_9.7\r\n";

/** The origin behind a proxy under test. Its connections outlive a case, as those of any origin do, unless a case has ended them. */
export class Origin {
  readonly #host: string;
  readonly #port: number;
  readonly #server: Server;
  #scene: OriginScene | undefined;
  #mood: OriginMood = {};
  /** Those that are open, and what closes each. */
  readonly #sockets = new Set<Socket>();
  #count = 0;

  private constructor(server: Server, host: string) {
    this.#server = server;
    this.#host = host;
    this.#port = portOf(server);
    server.on("connection", (socket: Socket) => this.#accept(socket));
  }

  /** Listens at the address; throws `Unreachable` if it cannot. */
  static async listen(host: string, port: number): Promise<Origin> {
    const server = createServer({ noDelay: true });
    try {
      await listening(server, host, port);
    } catch (error) {
      throw new Unreachable(
        `The origin cannot listen on ${host}:${port}: ${(error as NodeJS.ErrnoException).code}; choose another address.`,
      );
    }
    return new Origin(server, host);
  }

  get port(): number {
    return this.#port;
  }
  begin(scene: OriginScene): void {
    this.#scene = scene;
  }

  /** Ends all connections, and meets new ones in this way. */
  async become(mood: OriginMood): Promise<void> {
    this.#mood = mood;
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    if (mood.is === "refuses") await closed(this.#server);
    else if (!this.#server.listening) await listening(this.#server, this.#host, this.#port);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await closed(this.#server);
  }

  #accept(socket: Socket): void {
    const { is, settings = [] } = this.#mood;
    if (is === "closes") return void socket.destroy();
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    if (is === "garbage" || is === "mute") {
      survivingWrites(socket).on("error", () => {});
      socket.resume();
      if (is === "garbage") socket.write(NOT_HTTP2);
      return;
    }
    this.#count += 1;
    const connection: ClientConnection = new ClientConnection(
      socket,
      { on: this.#count },
      {
        recorder: {
          wire: (way, means, octets) => this.#scene?.transcript.wire(way, `origin, connection ${connection.on}: ${means}`, octets),
          remark: (means) => this.#scene?.transcript.remark(`origin, connection ${connection.on}: ${means}`),
        },
        text: (value) => this.#scene?.text(value) ?? value,
        arrived: (request) => this.#scene?.arrived(request),
        poke: () => {
          if (connection.garbage !== undefined) this.#scene?.garbage(connection.garbage);
          this.#scene?.poke();
        },
      },
    );
    void connection.wire.send([{ type: "SETTINGS", settings }]);
  }
}

const listening = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.removeListener("error", reject);
      resolve();
    });
  });
const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
  });
