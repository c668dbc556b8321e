import { isIP } from "node:net";
import { connect, type SecureVersion, type TLSSocket } from "node:tls";
import { build } from "../../wire/http2/build.ts";
import { MAGIC } from "../../wire/http2/numbers.ts";
import { FrameCutter, readFrame, type ReadFrame } from "../../wire/http2/read.ts";
import { fromLatin1 } from "../../wire/octets.ts";
import { get } from "../phrases.ts";
import type { TlsOffer, TlsOutcome } from "../vocabulary.ts";
import type { Http2Stage } from "./stage.ts";

type Outcome = { readonly outcome: TlsOutcome; readonly words: string };

/**
 * Makes a TLS connection beside that of the case and sees how far it gets: the handshake, the choice of h2, the answer to a request, and
 * a renegotiation where that is asked for (rfc9113#9.2). TLS 1.1 and old suites need the library's security level lowered: we offer what
 * is wrong on purpose.
 */
export function offerTls(offer: TlsOffer, stage: Http2Stage): Promise<Outcome> {
  const { host, port } = stage.target;
  const old: SecureVersion = "TLSv1";
  const version = offer.version;
  const asked = { renegotiation: false };
  stage.recorder.remark(`beside it we offer TLS with ${JSON.stringify(offer)}`);
  const socket = connect({
    host,
    port,
    ALPNProtocols: [...(offer.alpn ?? ["h2", "http/1.1"])],
    rejectUnauthorized: false,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(version === undefined ? {} : { minVersion: version === "TLSv1.1" ? old : version, maxVersion: version }),
    ciphers: `${offer.ciphers ?? "DEFAULT"}:@SECLEVEL=0`,
    ...(offer.curve === undefined ? {} : { ecdhCurve: offer.curve }),
  });
  return new Promise((resolve) => {
    let hello = false;
    const silence = (): string => {
      if (!hello) return "silence to the TLS hello";
      return asked.renegotiation ? "silence after a renegotiation was begun" : "silence after the TLS handshake";
    };
    const done = (outcome: TlsOutcome, words: string): void => {
      clearTimeout(timer);
      stage.recorder.remark(`beside it: ${words}`);
      socket.removeAllListeners();
      // The outcome is known: a later error changes nothing.
      socket.on("error", () => {});
      socket.destroy();
      resolve({ outcome, words });
    };
    const timer = setTimeout(() => done("silent", silence()), stage.timeout);
    socket.on("error", (error: NodeJS.ErrnoException) =>
      done(
        hello ? "ended" : "refused",
        hello
          ? `the TLS connection failed (${error.code ?? error.message})`
          : `the TLS handshake was refused (${error.code ?? error.message})`,
      ),
    );
    socket.on("close", () => done(hello ? "ended" : "refused", hello ? "the TLS connection was closed" : "the TLS handshake was refused"));
    socket.on("secureConnect", () => {
      hello = true;
      const chosen = `${socket.getProtocol()} with ${socket.getCipher().standardName}`;
      if (socket.alpnProtocol === "h2c") return done("h2c", `${chosen}, and h2c`);
      if (socket.alpnProtocol !== "h2") return done("other protocol", `${chosen}, and not h2`);
      converse(socket, offer, asked, stage, (outcome, words) => done(outcome, `${chosen}: ${words}`));
    });
  });
}

/** A request on stream 1, then the renegotiation, then a PING that shows whether the connection goes on. */
function converse(
  socket: TLSSocket,
  offer: TlsOffer,
  asked: { renegotiation: boolean },
  stage: Http2Stage,
  done: (outcome: TlsOutcome, words: string) => void,
): void {
  const setting = { stream: stage.streamOf, text: stage.text };
  const cutter = new FrameCutter();
  const send = (...specs: Parameters<typeof build>[0][]): void => {
    socket.write(Buffer.concat(specs.map((spec) => build(spec, setting))));
  };
  const onFrame = (frame: ReadFrame): void => {
    if (frame.type === "SETTINGS" && frame.ack === false) send({ type: "SETTINGS", flags: ["ACK"] });
    if (frame.type === "GOAWAY" && frame.code !== undefined && frame.code !== "NO_ERROR")
      done(frame.code as TlsOutcome, `GOAWAY with ${frame.code}`);
    if (frame.type === "PING" && frame.ack === true) done("renegotiated", "the renegotiation was done, and the connection went on");
    if (frame.type !== "HEADERS" || frame.stream !== 1) return;
    if (offer.renegotiate !== true) return done("answered", "the request was answered");
    stage.recorder.remark("beside it: the request was answered; we ask for a renegotiation");
    asked.renegotiation = true;
    const begun = socket.renegotiate({ rejectUnauthorized: false }, (error) => {
      if (error !== null) return done("refused", `the renegotiation was refused (${error.message})`);
      send({ type: "PING", hex: "7265616761696e21" });
    });
    if (begun === false) done("refused", "the renegotiation could not be begun");
  };
  socket.on("data", (chunk: Uint8Array) => {
    for (const octets of cutter.push(chunk)) onFrame(readFrame(octets));
  });
  socket.write(fromLatin1(MAGIC));
  send({ type: "SETTINGS", settings: [] }, get(1));
}
