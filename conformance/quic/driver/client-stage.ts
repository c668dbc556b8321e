import type { Certificate } from "../../harness/subject/certificate.ts";
import type { ClientRun } from "../../harness/subject/client-run.ts";
import type { Ending } from "../../harness/subject/subject-process.ts";
import type { RawEnd } from "../../wire/quic/end.ts";
import { type AcceptSpec, RawHost } from "../../wire/quic/host.ts";
import { QuicStage } from "./stage.ts";

export type CertificateName = "good" | "expired" | "stranger" | "other name";
export type Certificates = (name: CertificateName) => Promise<Certificate>;

/** The stage of a client: the connection that it makes to us. */
export class ClientStage extends QuicStage {
  run: ClientRun | undefined;
  readonly #certificates: Certificates;
  #host: RawHost | undefined;

  constructor(timeout: number, certificates: Certificates) {
    super(timeout);
    this.#certificates = certificates;
  }

  async listen(): Promise<RawHost> {
    this.#host = await RawHost.listen({ on: (observed) => this.observe(observed), transcript: this.recorder });
    return this.#host;
  }
  get host(): RawHost {
    if (this.#host === undefined) throw new Error("nothing listens yet");
    return this.#host;
  }
  /** Whether a first packet of the subject has come. */
  get connected(): boolean {
    return this.all.some(({ is }) => is === "initial");
  }
  get isConnected(): boolean {
    return this.host.end !== undefined;
  }
  get end(): RawEnd {
    const { end } = this.host;
    if (end === undefined) throw new Error("no connection yet: a case begins with accept");
    return end;
  }

  async accept(spec: AcceptSpec, certificate: CertificateName): Promise<RawEnd> {
    const end = this.host.accept(spec, await this.#certificates(certificate));
    end.acknowledges = this.acknowledges;
    return end;
  }

  left({ code, signal }: Ending): void {
    this.recorder.remark(code === null ? `the command was killed by ${signal}` : `the command exited with status ${code}`);
    this.observe({ is: "exit", code });
  }
}
