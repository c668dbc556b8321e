import { createServer as createTcp, type Server } from "node:net";
import { createServer as createTls } from "node:tls";
import { Stage } from "../../harness/connection/stage.ts";
import type { Accepted } from "../../harness/subject/client-run.ts";
import type { Report, Reporting } from "../../harness/subject/reporting.ts";
import { portOf } from "../../peers/index.ts";
import type { Wallet } from "../../tls/certificates.ts";
import type { FieldSpec } from "../../wire/http2/frame-spec.ts";
import type { DialectName } from "../../../vectors/rpc/question.ts";
import type { Ask, CallReport, Sight } from "../client-vocabulary.ts";
import { answerWell } from "./client-answers.ts";
import type { Reported } from "./client-conclude.ts";
import { ClientConnection, type Request } from "./client-connection.ts";
import { observedInWords } from "./client-describe.ts";
import { monitor } from "./client-monitors.ts";
import { isSeen } from "./client-sights.ts";
import { readCalls } from "./client-report.ts";

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
  #authority = "127.0.0.1";

  constructor(options: { readonly timeout: number; readonly dialect: DialectName; readonly wallet: Wallet }) {
    super(options.timeout);
    this.dialect = options.dialect;
    this.wallet = options.wallet;
  }

  /** Listens for the subject as the description says, and returns the address. */
  async listen(ask: Ask): Promise<string> {
    this.asked = ask;
    const server = ask.tls === undefined ? createTcp({ noDelay: true }, (socket) => this.#accept(socket)) : await this.#secure(ask.tls);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
    this.afterwards(() => server.close());
    this.#authority = `127.0.0.1:${portOf(server)}`;
    return this.#authority;
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

  #accept(socket: Accepted): void {
    const on = this.connections.length + 1;
    if (on > 1) this.recorder.remark(`it opened connection number ${on}`);
    const connection = new ClientConnection(socket, on, {
      recorder: this.recorder,
      text: this.text,
      arrived: (request) => this.#arrived(request),
      poke: () => this.poke(),
    });
    this.connections.push(connection);
    this.afterwards(() => connection.wire.drop());
    const { settings = [], refuses = 0, accepts = Number.POSITIVE_INFINITY } = this.asked ?? {};
    if (on <= refuses || on > accepts) connection.wire.end("close");
    else if (settings === false) connection.wire.acknowledges = false;
    else void connection.wire.send([{ type: "SETTINGS", settings }]);
    this.poke();
  }

  #arrived(request: Request): void {
    if (!request.isFence) this.requests.push(request);
    if (!request.isFence && this.mentioned.has(this.requests.length)) return;
    void answerWell(request, this);
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
