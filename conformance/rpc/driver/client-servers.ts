import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { portOf } from "../../peers/index.ts";
import type { Reach, ServerSpec } from "../client-vocabulary.ts";

/** The servers of one case: each at an address of its own, or one at a Unix socket. */

/** One of them. */
type Place = { spec: ServerSpec; readonly host: string; port: number; listening: Server | undefined };

/** Each case has a network of its own within loopback, so that nobody else listens where one of its servers does not. */
let network = 0;
const hostOf = (of: number, server: number): string =>
  process.platform === "linux" ? `127.${10 + (Math.floor(of / 256) % 200)}.${of % 256}.${server}` : "127.0.0.1";

export class Servers {
  readonly #places: Place[] = [];
  readonly #accept: (socket: Socket, server: number) => void;
  #socket: string | undefined;

  constructor(accept: (socket: Socket, server: number) => void) {
    this.#accept = accept;
  }

  /** Begins with each at a port of its own; with `samePort` they have one port, as the addresses of a name do. */
  async open(specs: readonly ServerSpec[], samePort: boolean): Promise<void> {
    const mine = network++;
    for (const [at, spec] of specs.entries()) {
      const place: Place = { spec, host: hostOf(mine, at + 1), port: samePort ? (this.#places[0]?.port ?? 0) : 0, listening: undefined };
      this.#places.push(place);
      await this.#listen(place);
      if (isAbsent(spec.reach)) await stop(place);
    }
  }
  /** Begins with one at a Unix socket; `undefined` for none yet. Returns its path. */
  async openSocket(spec: ServerSpec): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
    this.#socket = join(folder, "socket");
    const place: Place = { spec, host: this.#socket, port: 0, listening: undefined };
    this.#places.push(place);
    if (!isAbsent(spec.reach)) await this.#listen(place);
    return this.#socket;
  }

  /** `host:port` of each. */
  get addresses(): readonly string[] {
    return this.#places.map(({ host, port }) => `${host}:${port}`);
  }
  hosts(servers: readonly number[]): readonly string[] {
    return servers.flatMap((server) => this.#places[server - 1]?.host ?? []);
  }
  get port(): number {
    return this.#places[0]!.port;
  }
  spec(server: number): ServerSpec {
    return this.#places[server - 1]?.spec ?? {};
  }

  /** From now on the server is like this. */
  async change(server: number, spec: ServerSpec): Promise<void> {
    const place = this.#places[server - 1];
    if (place === undefined) throw new Error(`there is no server ${server}`);
    place.spec = { ...place.spec, ...spec };
    if (isAbsent(place.spec.reach)) await stop(place);
    else if (place.listening === undefined) await this.#listen(place);
  }
  async close(): Promise<void> {
    for (const place of this.#places) await stop(place);
    if (this.#socket !== undefined) rmSync(join(this.#socket, ".."), { recursive: true, force: true });
  }

  async #listen(place: Place): Promise<void> {
    const number = this.#places.indexOf(place) + 1;
    const server = createServer({ noDelay: true }, (socket) => this.#accept(socket, number));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      if (place.host === this.#socket) server.listen(place.host, resolve);
      else server.listen(place.port, place.host, resolve);
    });
    place.listening = server;
    if (place.host !== this.#socket) place.port = portOf(server);
  }
}

const isAbsent = (reach: Reach | undefined): boolean => reach === "refuses";

async function stop(place: Place): Promise<void> {
  const { listening } = place;
  place.listening = undefined;
  // Its connections go on: only no new ones come.
  listening?.close();
}
