import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCertificate } from "../../../reference/io/index.ts";
import { WrongUse } from "../../harness/driver.ts";
import type { Certificate } from "../../harness/subject/certificate.ts";
import { startClient } from "../../harness/subject/client-program.ts";
import { ClientRun, type ClientOptions } from "../../harness/subject/client-run.ts";
import { type CertificateName, ClientStage } from "./client-stage.ts";

const EXAMPLE = "curl --http3-only -s --cacert {ca} {url}";
/** How long a client may take to start and connect, in milliseconds: programs load first. */
const STARTUP_MS = 10_000;
/** How long what a client sent before its end may take to arrive, in milliseconds. */
const LAST_DATAGRAMS_MS = 500;
const DAY = 86_400_000;

/** Runs a client once per performance: listens on loopback over UDP, starts it, and observes its exit. */
export class QuicClientRunner {
  readonly #options: ClientOptions;
  readonly #made = new Map<CertificateName | "authority" | "other authority", Promise<Certificate>>();
  #folder: Promise<string> | undefined;

  /** Throws `WrongUse` for a command without `{url}`. */
  constructor(options: ClientOptions) {
    const { client } = options;
    if (typeof client === "string" && !client.includes("{url}"))
      throw new WrongUse(`The client command "${client}" has no {url}: write where the address goes, as in '${EXAMPLE}'.`);
    this.#options = options;
  }

  /** Whether the client gets the authority of our certificates. */
  get verifies(): boolean {
    const { client } = this.#options;
    return typeof client !== "string" || client.includes("{ca}");
  }

  /** Starts the client, and returns its stage when its first packet has come, it has ended, or the time is over. */
  async run(): Promise<ClientStage> {
    const { client, timeout } = this.#options;
    const authority = await this.#certificate("authority");
    const stage = new ClientStage(timeout, (name) => this.#certificate(name));
    const host = await stage.listen();
    const request = {
      url: `https://127.0.0.1:${host.port}/`,
      method: "GET",
      credentials: { ca: authority.cert, cert: "", key: "" },
    } as const;
    const program = startClient(typeof client === "string" ? await this.#withFile(client) : client, request);
    stage.run = new ClientRun(program, client, STARTUP_MS);
    const state = { isOver: false, hasLeft: false };
    stage.afterwards(async () => {
      state.isOver = true;
      // Told first, the client need not be killed.
      host.stop();
      await program.kill();
    });
    const leave = async (): Promise<void> => {
      const ending = await program.ended;
      await stage.until(() => state.isOver || stage.over, Math.min(LAST_DATAGRAMS_MS, timeout / 4));
      // A client that we ended ourselves has not ended by itself.
      if (state.isOver) return;
      state.hasLeft = true;
      stage.left(ending);
    };
    void leave();
    await stage.until(() => stage.connected || state.hasLeft, STARTUP_MS);
    return stage;
  }

  async close(): Promise<void> {
    if (this.#folder !== undefined) await rm(await this.#folder, { recursive: true, force: true });
  }

  /** The command with the file of our authority in place of {ca}. */
  async #withFile(command: string): Promise<string> {
    if (!command.includes("{ca}")) return command;
    const folder = await (this.#folder ??= this.#write());
    return command.replaceAll("{ca}", join(folder, "ca.pem"));
  }
  async #write(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "touchstone-quic-"));
    await writeFile(join(folder, "ca.pem"), (await this.#certificate("authority")).cert);
    return folder;
  }

  #certificate(name: CertificateName | "authority" | "other authority"): Promise<Certificate> {
    const known = this.#made.get(name) ?? this.#make(name);
    this.#made.set(name, known);
    return known;
  }
  async #make(name: CertificateName | "authority" | "other authority"): Promise<Certificate> {
    const days = (from: number, to: number): [Date, Date] => [new Date(Date.now() + from * DAY), new Date(Date.now() + to * DAY)];
    if (name === "authority" || name === "other authority")
      return makeCertificate({ name: `Touchstone ${name}`, key: "ec", valid: days(-5, 5), purpose: "authority" });
    return makeCertificate({
      name: `server ${name}`,
      key: "ec",
      purpose: "server",
      valid: name === "expired" ? days(-3, -1) : days(-1, 2),
      hosts: name === "other name" ? { dns: ["other.example"], ip: ["192.0.2.1"] } : { dns: ["localhost"], ip: ["127.0.0.1"] },
      issuer: await this.#certificate(name === "stranger" ? "other authority" : "authority"),
    });
  }
}
