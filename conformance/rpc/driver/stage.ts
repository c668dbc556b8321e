import type { Socket } from "node:net";
import { type DetailedPeerCertificate, TLSSocket } from "node:tls";
import { DialledStage } from "../../harness/connection/stage.ts";
import { dialPatiently, type Target } from "../../harness/subject/transport.ts";
import { Http2End } from "../../wire/http2/end.ts";
import { MAGIC } from "../../wire/http2/numbers.ts";
import type { FieldSpec } from "../../wire/http2/frame-spec.ts";
import type { Fate } from "../../wire/rpc/contract.ts";
import type { DialectName } from "../../../vectors/rpc/question.ts";
import type { Sight } from "../vocabulary.ts";
import type { Over } from "../over.ts";
import { type Ends, RpcConnection, type Secured } from "./connection.ts";
import { Http3Wire } from "./http3-wire.ts";
import { isSeen } from "./sights.ts";
import type { Part } from "../../wire/rpc/parts.ts";
import type { Told, View } from "./view.ts";

function endsOf(socket: Socket): Ends {
  const { localAddress = "", localPort = 0, remoteAddress = "", remotePort = 0 } = socket;
  return {
    ours: { address: localAddress, port: localPort },
    theirs: { address: remoteAddress, port: remotePort },
    ...(socket instanceof TLSSocket && { tls: securedOf(socket) }),
  };
}
const securedOf = (socket: TLSSocket): Secured => ({
  cipher: socket.getCipher().standardName,
  // An object without members if there is none.
  ours: (socket.getCertificate() as Partial<DetailedPeerCertificate> | null)?.raw,
  theirs: (socket.getPeerCertificate() as Partial<DetailedPeerCertificate>).raw,
});

/** One performance: the connections to the server, and what came of their calls. The steps of a case use the first one. */
export class RpcStage extends DialledStage<Sight, RpcConnection> implements View {
  readonly target: Target;
  readonly dialect: DialectName;
  fate: Fate | undefined;
  told: Told | undefined;
  /** What later steps and sights name. */
  readonly kept = new Map<string, Part>();
  /** The streams of the case itself, without our fences. */
  readonly calls = new Set<number>();
  /** We have ended the connection of the case. */
  hasLeft = false;
  /** Names of calls are unique in a run. */
  readonly token: string;
  readonly #over: Over | undefined;

  constructor(
    target: Target,
    {
      timeout,
      dialect,
      token,
      over,
    }: { readonly timeout: number; readonly dialect: DialectName; readonly token: string; readonly over?: Over | undefined },
  ) {
    super(timeout);
    this.#over = over;
    this.target = target;
    this.dialect = dialect;
    this.token = token;
  }

  protected async dial(): Promise<RpcConnection> {
    const poke = (): void => this.poke();
    if (this.#over === "http3") {
      const made = new RpcConnection(poke);
      const { target, timeout, recorder, text } = this;
      const until = (test: () => boolean, ms: number): Promise<boolean> => this.until(test, ms);
      return made.on(await Http3Wire.dial({ target, timeout, recorder, text, poke, until }, made.events));
    }
    const socket = await dialPatiently(this.target, this.timeout);
    const made = new RpcConnection(poke, endsOf(socket));
    const options = { we: "client", transcript: this.recorder, text: this.text, fields: this.target.fields, on: made.events } as const;
    return made.on(new Http2End(socket, options));
  }

  /** The connection of the case. */
  get main(): RpcConnection {
    const main = this.connections.get(1);
    if (main === undefined) throw new Error("no connection yet");
    return main;
  }

  readonly text = (value: string): string =>
    value.includes("{")
      ? value
          .replaceAll("{authority}", this.target.authority)
          .replaceAll("{scheme}", this.target.scheme)
          .replaceAll("{rpc}", this.dialect)
          .replaceAll("{run}", this.token)
      : value;
  /** Fields with the names of the dialect. */
  readonly fields = (fields: readonly FieldSpec[]): FieldSpec[] =>
    fields.map(([name, value, form]) => (form === undefined ? [this.text(name), value] : [this.text(name), value, form]));

  /** The preface and both acknowledgements of SETTINGS on a connection. */
  async greet(on: number, settings: readonly (readonly [string, number])[] = []): Promise<string | undefined> {
    const { wire, frames } = await this.connection(on);
    await wire.preface(MAGIC, { type: "SETTINGS", settings: settings as never });
    const acknowledged = (): boolean => frames.some(({ type, ack }) => type === "SETTINGS" && ack === true);
    await this.until(() => (wire.hasTheirSettings && acknowledged()) || wire.ended, this.timeout);
    return wire.hasTheirSettings && acknowledged()
      ? undefined
      : `the ${this.#over === "http3" ? "HTTP/3" : "HTTP/2"} handshake was not completed`;
  }

  sees(sight: Sight): boolean {
    return isSeen(sight, this);
  }
}
