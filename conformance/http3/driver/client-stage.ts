import type { ClientRun } from "../../harness/subject/client-run.ts";
import type { Ending } from "../../harness/subject/subject-process.ts";
import { Http3End } from "../../wire/http3/end.ts";
import type { LineEvents, QuicLine } from "../../wire/quic/line.ts";
import { respond, responseContent } from "../cases/phrases-client.ts";
import { Http3Stage } from "./stage.ts";

/** The stage of a client: its first connection is that of the case; later ones are served as by a good server. */
export class Http3ClientStage extends Http3Stage {
  run: ClientRun | undefined;
  #count = 0;

  constructor(port: number, timeout: number) {
    super(
      "client",
      { scheme: "https", host: "127.0.0.1", port, authority: `127.0.0.1:${port}`, path: "/", verify: false, fields: [] },
      { timeout },
    );
  }

  /** A connection of the client begins. */
  take(line: QuicLine): LineEvents {
    const on = this.#count++;
    if (on > 0) this.recorder.remark(`the command opened connection number ${on + 1}`);
    const wire: Http3End = new Http3End(line, {
      we: "server",
      transcript: this.recorder,
      text: this.text,
      on: (observed) => {
        this.saw(observed, on, wire.endedByUs);
        if (on > 0 && observed.is === "end" && wire.kindOf(observed.stream) === "request") answer(wire, observed.stream);
      },
    });
    if (on === 0) this.attach(wire);
    return (event) => {
      wire.receive(event);
      if (on > 0 && event.is === "established") openControl(wire);
      this.poke();
    };
  }

  /** Answers the request, if the case has not. */
  answer(): void {
    const stream = this.streamOf("request");
    if (stream < 0 || this.wire.finished.has(stream)) return;
    if (this.names.get("control") === undefined) openControl(this.wire);
    if (this.wire.written.has(stream)) this.wire.finish(stream);
    else answer(this.wire, stream);
  }

  left({ code, signal }: Ending): void {
    this.recorder.remark(code === null ? `the command was killed by ${signal}` : `the command exited with status ${code}`);
    this.log.push({ is: "exit", at: this.recorder.now, code, signal });
  }
}

function openControl(wire: Http3End): void {
  const stream = wire.open("unidirectional");
  if (stream === undefined) return;
  wire.begin(stream, "control");
  wire.send(stream, [{ type: "SETTINGS" }]);
}
const answer = (wire: Http3End, stream: number): void => wire.send(stream, [respond(), responseContent()], true);
