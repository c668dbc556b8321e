import type { Accepted, ClientAddress, ClientHost, ClientRun } from "../../harness/subject/client-run.ts";
import type { Ending } from "../../harness/subject/subject-process.ts";
import { Autopilot } from "./autopilot.ts";
import { follow } from "./connection.ts";
import { Http2Stage } from "./stage.ts";

/** The stage of a client: its first connection is that of the case; later ones are served by an autopilot. */
export class Http2ClientStage extends Http2Stage implements ClientHost {
  run: ClientRun | undefined;
  readonly #sockets: Accepted[] = [];

  constructor({ authority, port, secure }: ClientAddress, timeout: number) {
    const scheme = secure ? "https" : "http";
    super("client", { scheme, host: "127.0.0.1", port, authority, path: "/", verify: false, fields: [] }, { timeout });
  }

  take(socket: Accepted): void {
    const on = this.#sockets.push(socket) - 1;
    if (on > 0) this.recorder.remark(`the command opened connection number ${on + 1}`);
    const connection = follow(socket, this, on);
    this.afterwards(() => socket.destroy());
    if (on === 0) this.attach(connection);
    else new Autopilot(this.log, connection, on).start();
  }

  offered(protocols: readonly string[]): void {
    this.recorder.remark(`the command offers by ALPN: ${protocols.join(", ")}`);
    for (const name of protocols) this.log.offered.add(name);
  }

  get quiet(): boolean {
    return this.#sockets.every((socket) => socket.readableEnded || socket.destroyed);
  }

  left({ code, signal }: Ending): void {
    this.log.push({ is: "exit", at: this.recorder.now, code, signal });
  }
}
