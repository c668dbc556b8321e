import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { contentTypeOf, type FamilyToWrite, type Format, negotiate } from "../../../reference/metrics/exposition/index.ts";
import { listening, type RunningImpostor } from "../../harness/impostors/listening.ts";
import { familiesOf, pageOf, type Style } from "./vivid.ts";

const SLOW_MS = 20;

/** An answer before it is sent. */
export type Ready = { readonly status: number; readonly fields: Readonly<Record<string, string>>; readonly body: Buffer };
/** What an impostor knows of a request. */
export type About = {
  readonly request: IncomingMessage;
  readonly format: Format;
  readonly scrape: number;
  /** How many connections are open. */
  readonly open: number;
};
/** What is wrong with a target. */
export type Wrong = {
  readonly format?: (about: About) => Format;
  readonly families?: (families: readonly FamilyToWrite[], about: About) => readonly FamilyToWrite[];
  /** In place of an answer: nothing, or octets after which the connection ends. */
  readonly answer?: (ready: Ready, about: About) => Ready | "silence" | Buffer;
  /** Answers after a while, when more requests may be there. */
  readonly isSlow?: true;
  /** Compresses whatever is asked for. */
  readonly isAlwaysCoded?: true;
};

const hasGzip = ({ headers }: IncomingMessage): boolean =>
  String(headers["accept-encoding"] ?? "")
    .split(",")
    .some((one) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)|$)/.test(one));

/** Starts a target with the vivid page at /metrics. */
export async function startTarget(style: Style, wrong: Wrong = {}): Promise<RunningImpostor> {
  let scrapes = 0;
  let open = 0;
  const reply = (request: IncomingMessage, response: ServerResponse): void => {
    const asked = {
      request,
      format: negotiate(request.headers.accept, { formats: ["text", "openmetrics", "protobuf"] }),
      scrape: ++scrapes,
      open,
    };
    const about = { ...asked, format: wrong.format?.(asked) ?? asked.format };
    const families = familiesOf(about.scrape, style);
    const plain: Ready = {
      status: 200,
      fields: { "content-type": contentTypeOf(about.format) },
      body: pageOf(wrong.families?.(families, about) ?? families, about.format),
    };
    const ready = wrong.answer?.(plain, about) ?? plain;
    if (ready === "silence") return;
    if (!("status" in ready)) return void request.socket.end(ready);
    const zipped = (hasGzip(request) || wrong.isAlwaysCoded === true) && ready.fields["content-encoding"] === undefined;
    const body = zipped ? gzipSync(ready.body) : ready.body;
    response
      .writeHead(ready.status, { "content-length": String(body.length), ...ready.fields, ...(zipped && { "content-encoding": "gzip" }) })
      .end(body);
  };
  const server = createServer((request, response) => {
    if (wrong.isSlow === true) setTimeout(() => reply(request, response), SLOW_MS);
    else reply(request, response);
  }).on("connection", (socket) => {
    open++;
    socket.once("close", () => open--);
  });
  return listening(server, "http");
}
