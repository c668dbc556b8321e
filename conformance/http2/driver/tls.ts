import { isIP } from "node:net";
import { connect, type SecureVersion, type TLSSocket } from "node:tls";
import { placeOf, securedBy } from "../../harness/subject/transport.ts";
import { build } from "../../wire/http2/build.ts";
import type { FrameSpec } from "../../wire/http2/frame-spec.ts";
import { MAGIC } from "../../wire/http2/numbers.ts";
import { RequestHeads } from "../../wire/http2/request-heads.ts";
import { FrameCutter, readFrame, type ReadFrame } from "../../wire/http2/read.ts";
import { fromLatin1 } from "../../wire/octets.ts";
import { get } from "../cases/phrases.ts";
import type { TlsOffer } from "../vocabulary.ts";
import type { ObservedTls } from "./log.ts";
import type { Http2Stage } from "./stage.ts";

type Outcome = { readonly outcome: ObservedTls; readonly words: string };

/**
 * Opens a TLS connection beside that of the case and observes how far it gets: the handshake, the selection of h2, the response to a request, and
 * a renegotiation if the case has one (rfc9113#9.2). TLS 1.1 and old cipher suites need a lower security level of the library: we offer
 * them on purpose.
 */
export function offerTls(offer: TlsOffer, stage: Http2Stage): Promise<Outcome> {
  const { host } = stage.target;
  const old: SecureVersion = "TLSv1";
  const version = offer.version;
  const state = { hello: false, renegotiating: false };
  stage.recorder.remark(`on a separate connection we offer TLS with ${JSON.stringify(offer)}`);
  const socket = connect({
    ...placeOf(stage.target),
    ALPNProtocols: [...(offer.alpn ?? ["h2", "http/1.1"])],
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...securedBy(stage.target.verify),
    rejectUnauthorized: false,
    ...(version === undefined ? {} : { minVersion: version === "TLSv1.1" ? old : version, maxVersion: version }),
    ciphers: `${offer.ciphers ?? "DEFAULT"}:@SECLEVEL=0`,
    ...(offer.curve === undefined ? {} : { ecdhCurve: offer.curve }),
  });
  return new Promise((resolve) => {
    const silence = (): string => {
      if (!state.hello) return "silence to the TLS hello";
      return state.renegotiating ? "silence after a renegotiation was begun" : "silence after the TLS handshake";
    };
    const done = (outcome: ObservedTls, words: string): void => {
      clearTimeout(timer);
      stage.recorder.remark(`separate TLS connection: ${words}`);
      socket.removeAllListeners();
      // The outcome is known: a later error changes nothing.
      socket.on("error", () => {});
      socket.destroy();
      resolve({ outcome, words });
    };
    const timer = setTimeout(() => done("silent", silence()), stage.timeout);
    socket.on("error", (error: NodeJS.ErrnoException) =>
      done(
        state.hello ? "ended" : "refused",
        state.hello
          ? `the TLS connection failed (${error.code ?? error.message})`
          : `the TLS handshake was refused (${error.code ?? error.message})`,
      ),
    );
    socket.on("close", () =>
      done(state.hello ? "ended" : "refused", state.hello ? "the TLS connection was closed" : "the TLS handshake was refused"),
    );
    socket.on("secureConnect", () => {
      state.hello = true;
      const chosen = `${socket.getProtocol()} with ${socket.getCipher().standardName}`;
      if (socket.alpnProtocol === "h2c") return done("h2c", `${chosen}, and h2c`);
      if (socket.alpnProtocol !== "h2") return done("other protocol", `${chosen}, and not h2`);
      converse({
        socket,
        offer,
        stage,
        renegotiating: () => (state.renegotiating = true),
        done: (outcome, words) => done(outcome, `${chosen}: ${words}`),
      });
    });
  });
}

/** What a conversation over TLS needs. */
type Conversation = {
  readonly socket: TLSSocket;
  readonly offer: TlsOffer;
  readonly stage: Http2Stage;
  /** Called when we ask for a renegotiation. */
  readonly renegotiating: () => void;
  readonly done: (outcome: ObservedTls, words: string) => void;
};

/**
 * Sends a request on stream 1, then renegotiates, then sends a PING that shows whether the connection continues. This is not an `Http2End`: that
 * survives failed writes, which here show a refused renegotiation.
 */
function converse({ socket, offer, stage, renegotiating, done }: Conversation): void {
  const setting = { stream: stage.streamOf, text: stage.text };
  const heads = new RequestHeads(stage.target.fields);
  const send = (...specs: readonly FrameSpec[]): void => {
    socket.write(Buffer.concat(specs.map((spec) => build(spec, { ...setting, more: heads.more(spec) }))));
  };
  const renegotiate = (): void => {
    stage.recorder.remark("separate TLS connection: the request was answered; we ask for a renegotiation");
    renegotiating();
    const begun = socket.renegotiate({ rejectUnauthorized: false }, (error) => {
      if (error !== null) return done("refused", `the renegotiation was refused (${error.message})`);
      send({ type: "PING", hex: "7265616761696e21" });
    });
    if (begun === false) done("refused", "the renegotiation could not be begun");
  };
  const onFrame = ({ type, ack, code, stream }: ReadFrame): void => {
    if (type === "SETTINGS" && ack === false) send({ type: "SETTINGS", flags: ["ACK"] });
    if (type === "GOAWAY" && code !== undefined && code !== "NO_ERROR") done(code, `GOAWAY with ${code}`);
    if (type === "PING" && ack === true) done("renegotiated", "the renegotiation was done, and the connection went on");
    if (type !== "HEADERS" || stream !== 1) return;
    if (offer.renegotiate === true) renegotiate();
    else done("answered", "the request was answered");
  };
  const cutter = new FrameCutter();
  socket.on("data", (chunk: Uint8Array) => {
    for (const octets of cutter.push(chunk)) onFrame(readFrame(octets));
  });
  socket.write(fromLatin1(MAGIC));
  send({ type: "SETTINGS", settings: [] }, get(1));
}
