import { createServer as createTcp, type Server } from "node:net";
import { hostname } from "node:os";
import { createServer as createTls } from "node:tls";
import { Stage } from "../../harness/connection/stage.ts";
import type { Accepted } from "../../harness/subject/client-run.ts";
import type { Report, Reporting } from "../../harness/subject/reporting.ts";
import { portOf } from "../../peers/index.ts";
import type { Wallet } from "../../tls/certificates.ts";
import type { FieldSpec } from "../../wire/http2/frame-spec.ts";
import { LOAD_STREAM } from "../../wire/rpc/load-report.ts";
import type { DialectName } from "../../../vectors/rpc/question.ts";
import type { Ask, CallReport, NamesSpec, ServerSpec, Sight } from "../client-vocabulary.ts";
import { answerWell } from "./client-answers.ts";
import type { Reported } from "./client-conclude.ts";
import { answerLoad, reportAgain } from "./client-loads.ts";
import { ClientConnection, type Request } from "./client-connection.ts";
import { observedInWords } from "./client-describe.ts";
import { monitor } from "./client-monitors.ts";
import { isSeen } from "./client-sights.ts";
import { Servers } from "./client-servers.ts";
import { type Names, NameServer } from "./name-server.ts";
import { readCalls } from "./client-report.ts";

/** The name of the servers of a case. */
const NAME = "touchstone.test";

/** One performance: what the subject is asked, its connections, its requests, and its report. */
export class RpcClientStage extends Stage<Sight> implements Reported<Sight> {
  readonly dialect: DialectName;
  readonly wallet: Wallet;
  readonly connections: ClientConnection[] = [];
  /** In the order of their arrival, without fences. */
  readonly requests: Request[] = [];
  /** Requests that steps mention: all others are answered well at once. */
  readonly mentioned = new Set<number>();
  asked: Ask | undefined;
  report: Report | undefined;
  /** Between the description and its report, in milliseconds. */
  tookMs: number | undefined;
  /** Several servers, and their server of names. */
  servers: Servers | undefined;
  #names: NameServer | undefined;
  #authority = "127.0.0.1";
  /** In the names of publishers of service configs; undefined if its adapter does not say. */
  readonly language: string | undefined;

  constructor(options: {
    readonly timeout: number;
    readonly dialect: DialectName;
    readonly wallet: Wallet;
    readonly language?: string | undefined;
  }) {
    super(options.timeout);
    this.language = options.language;
    this.dialect = options.dialect;
    this.wallet = options.wallet;
  }

  /** Listens for the subject as the description says, and returns the target, or several. */
  async listen(ask: Ask): Promise<{ readonly target: string; readonly targets?: readonly string[] }> {
    this.asked = ask;
    if (ask.servers !== undefined || ask.unix !== undefined) return this.#listenMany(ask);
    const server = ask.tls === undefined ? createTcp({ noDelay: true }, (socket) => this.#accept(socket)) : await this.#secure(ask.tls);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
    this.afterwards(() => server.close());
    this.#authority = `127.0.0.1:${portOf(server)}`;
    return { target: `${ask.dns ?? ""}${this.#authority}` };
  }
  async #listenMany({
    servers: specs = [{}],
    names,
    unix,
  }: Ask): Promise<{ readonly target: string; readonly targets?: readonly string[] }> {
    const servers = (this.servers = new Servers((socket, server) => this.#accept(socket, server)));
    this.afterwards(() => servers.close());
    if (unix !== undefined) {
      const path = await servers.openSocket(specs[0] ?? {});
      return { target: unix === "unix:path" ? `unix:${path}` : `unix://${path}` };
    }
    await servers.open(specs, names !== undefined);
    this.#authority = servers.addresses[0]!;
    if (names === undefined) return { target: this.#authority, targets: servers.addresses };
    const server = (this.#names = new NameServer(this.#namesOf(names), (words) => this.recorder.remark(words)));
    const { address, close } = await server.listen();
    this.afterwards(close);
    return { target: `dns://${address}/${NAME}:${servers.port}` };
  }
  /** From now on the server of names says this. */
  rename(names: NamesSpec): void {
    this.#names!.names = this.#namesOf(names);
  }
  #namesOf({ addresses = [...(this.asked?.servers ?? []).keys()].map((at) => at + 1), choices, texts = [], ...others }: NamesSpec): Names {
    const records = [...texts, ...(choices === undefined ? [] : [`${this.dialect}_config=${this.#configText(choices)}`])];
    return {
      addresses: this.servers!.hosts(addresses),
      // A string of a record has at most 255 octets.
      texts: records.map((text) => text.match(/[^]{1,255}/g) ?? [""]),
      ...others,
    };
  }
  #configText(choices: unknown): string {
    const { language = "none" } = this;
    return (typeof choices === "string" ? choices : JSON.stringify(choices))
      .replaceAll("{language}", language)
      .replaceAll("{Language}", language.slice(0, 1).toUpperCase() + language.slice(1).toLowerCase())
      .replaceAll("{LANGUAGE}", language.toUpperCase())
      .replaceAll("{hostname}", hostname())
      .replaceAll("{HOSTNAME}", hostname().toUpperCase());
  }
  /** Changes a server of several. */
  async change(server: number, spec: ServerSpec, drops: boolean): Promise<void> {
    await this.servers!.change(server, spec);
    await reportAgain(this.connections, server, spec);
    for (const connection of this.connections.filter((one) => one.server === server && !one.isOver)) {
      if (drops) connection.wire.end("close");
      else if (spec.reach === "serves" && !connection.knows) this.#greet(connection);
    }
  }

  /** Awaits the report of the subject. */
  async await({ report, cancel }: Reporting): Promise<void> {
    const began = performance.now();
    this.afterwards(cancel);
    this.report = await report;
    this.tookMs = performance.now() - began;
    this.recorder.remark(
      this.report.is === "report" ? `it reports ${JSON.stringify(this.report.members).slice(0, 2000)}` : this.report.why,
    );
    this.poke();
  }

  /** The reports of its calls, in the order of the description. */
  get calls(): readonly CallReport[] | undefined {
    return this.report?.is === "report" ? readCalls(this.report.members) : undefined;
  }
  get over(): boolean {
    return this.report !== undefined;
  }
  sees(sight: Sight): boolean {
    return isSeen(sight, this);
  }
  broken(name: string): string | undefined {
    return monitor(name, this);
  }
  get observed(): string {
    return observedInWords(this);
  }
  readonly isFence = ({ messages }: CallReport): boolean => messages[0] === Buffer.from("fence").toString("hex");

  readonly text = (value: string): string =>
    value.includes("{") ? value.replaceAll("{authority}", this.#authority).replaceAll("{rpc}", this.dialect) : value;
  /** Fields with the names of the dialect. */
  readonly fields = (fields: readonly FieldSpec[]): FieldSpec[] =>
    fields.map(([name, value, form]) => (form === undefined ? [this.text(name), value] : [this.text(name), value, form]));

  #greet(connection: ClientConnection): void {
    connection.wire.acknowledges = true;
    void connection.wire.send([{ type: "SETTINGS", settings: this.asked?.settings === false ? [] : (this.asked?.settings ?? []) }]);
  }
  #accept(socket: Accepted, server = 1): void {
    const on = this.connections.length + 1;
    if (on > 1) this.recorder.remark(`it opened connection number ${on}`);
    const connection = new ClientConnection(
      socket,
      { on, server },
      {
        recorder: this.recorder,
        text: this.text,
        arrived: (request) => this.#arrived(request),
        poke: () => this.poke(),
      },
    );
    this.connections.push(connection);
    this.afterwards(() => connection.wire.drop());
    const { settings, refuses = 0, accepts = Number.POSITIVE_INFINITY } = this.asked ?? {};
    const { reach } = this.servers?.spec(server) ?? {};
    if (on <= refuses || on > accepts || reach === "closes") connection.wire.end("close");
    else if (settings === false || reach === "silent") connection.wire.acknowledges = false;
    else this.#greet(connection);
    this.poke();
  }

  #arrived(request: Request): void {
    const isCounted = !request.isFence && request.path !== LOAD_STREAM;
    if (isCounted) this.requests.push(request);
    if (isCounted && this.mentioned.has(this.requests.length)) return;
    // It has not said a word: no call should have come.
    if (this.asked?.settings === false || this.servers?.spec(request.connection.server).reach === "silent") return;
    if (request.path === LOAD_STREAM) void answerLoad(request, this.servers?.spec(request.connection.server) ?? {}, this);
    else void answerWell(request, this);
  }

  async #secure({ certificate, requires, alpn = "h2" }: NonNullable<Ask["tls"]>): Promise<Server> {
    const [{ cert, key }, authority] = await Promise.all([this.wallet.get(certificate), this.wallet.authority]);
    const server = createTls(
      { cert, key, ca: [authority.cert], requestCert: requires === true, rejectUnauthorized: requires === true, ALPNProtocols: [alpn] },
      (socket) => this.#accept(socket),
    );
    // A client that aborts the handshake has not connected; what its call became is in its report.
    server.on("tlsClientError", () => this.recorder.remark("a TLS handshake failed"));
    return server;
  }
}
