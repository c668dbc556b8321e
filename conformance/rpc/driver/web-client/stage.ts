import { createServer } from "node:net";
import { Stage } from "../../../harness/connection/stage.ts";
import type { Report, Reporting } from "../../../harness/subject/reporting.ts";
import { portOf } from "../../../peers/index.ts";
import type { WebDialect } from "../../../wire/rpc/web-forms.ts";
import type { CallReport } from "../../client-vocabulary.ts";
import type { WebAsk, WebClientSight } from "../../web-client-vocabulary.ts";
import type { Reported } from "../client-conclude.ts";
import { FENCE_PATH } from "../client-connection.ts";
import { readCalls } from "../client-report.ts";
import { answerWell } from "./answers.ts";
import { connectionOn, type WebRequest } from "./connection.ts";
import { observedInWords } from "./describe.ts";
import { monitor } from "./monitors.ts";
import { isSeen, payloadOf } from "./sights.ts";
import type { WebClientView } from "./view.ts";

/** One performance: what the subject is asked, its requests, and its report. */
export class WebClientStage extends Stage<WebClientSight> implements WebClientView, Reported<WebClientSight> {
  readonly dialect: WebDialect;
  readonly requests: WebRequest[] = [];
  /** Requests that steps mention: all others are answered well at once. */
  readonly mentioned = new Set<number>();
  asked: WebAsk | undefined;
  report: Report | undefined;

  constructor({ timeout, dialect }: { readonly timeout: number; readonly dialect: WebDialect }) {
    super(timeout);
    this.dialect = dialect;
  }

  /** Listens for the subject, and returns the address. */
  async listen(ask: WebAsk): Promise<string> {
    this.asked = ask;
    const server = createServer({ noDelay: true }, (socket) => {
      this.afterwards(() => socket.destroy());
      void connectionOn(socket, {
        recorder: this.recorder,
        poke: () => this.poke(),
        arrived: (request) => this.#arrived(request),
        until: (test) => this.until(test, this.timeout),
      }).then((connection) => this.afterwards(() => connection.drop()));
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
    this.afterwards(() => server.close());
    return `127.0.0.1:${portOf(server)}`;
  }
  #arrived(request: WebRequest): void {
    const isFence = request.target.startsWith(FENCE_PATH);
    if (!isFence) this.requests.push(request);
    this.poke();
    if (!isFence && this.mentioned.has(this.requests.length)) return;
    void answerWell(request, isFence ? "fence" : undefined, this);
  }

  /** Awaits the report of the subject. */
  async await({ report, cancel }: Reporting): Promise<void> {
    this.afterwards(cancel);
    this.report = await report;
    const { report: found } = this;
    this.recorder.remark(found.is === "report" ? `it reports ${JSON.stringify(found.members).slice(0, 2000)}` : found.why);
    this.poke();
  }
  get calls(): readonly CallReport[] | undefined {
    return this.report?.is === "report" ? readCalls(this.report.members) : undefined;
  }
  get over(): boolean {
    return this.report !== undefined;
  }
  sees(sight: WebClientSight): boolean {
    return isSeen(sight, this);
  }
  broken(name: string): string | undefined {
    return monitor(name, this);
  }
  get observed(): string {
    return observedInWords(this);
  }
  readonly isFence = ({ messages: [hex = ""] }: CallReport): boolean => {
    const payload = payloadOf(hex, this);
    return payload !== undefined && Buffer.from(payload).toString() === "fence";
  };
}
