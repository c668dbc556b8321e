import type { Duplex } from "node:stream";
import { Http2End } from "../../wire/http2/end.ts";
import type { ReadFrame } from "../../wire/http2/read.ts";
import type { RequestField } from "../../wire/request-fields.ts";
import type { Recorder } from "../../harness/connection/recorder.ts";
import type { StreamRef } from "../vocabulary.ts";
import type { Log } from "./log.ts";

/** A frame of ours; `after` is the number of observations before it, by which monitors order it among the subject's frames. */
export type SentFrame = { readonly at: number; readonly frame: ReadFrame; readonly after: number };

/** One connection of a performance: our end, and the frames that we sent on it. */
export type Http2Connection = { readonly wire: Http2End; readonly sent: readonly SentFrame[] };

/** What a connection is part of. */
export type Following = {
  /** The role of the subject. */
  readonly role: "server" | "client";
  readonly log: Log;
  readonly recorder: Recorder;
  readonly text: (value: string) => string;
  readonly streamOf: (ref: StreamRef) => number;
  /** The subject is a server. */
  readonly target?: { readonly fields: readonly RequestField[] };
};

/** Takes a connection of the subject, the `on`-th from 0, and puts all that it does on it into the log. */
export function follow(socket: Duplex, { role, log, recorder, text, streamOf, target }: Following, on = 0): Http2Connection {
  const sent: SentFrame[] = [];
  const wire: Http2End = new Http2End(socket, {
    we: role === "server" ? "client" : "server",
    transcript: recorder,
    text,
    streamOf,
    fields: target?.fields ?? [],
    on: {
      sent: (frame) => sent.push({ at: recorder.now, frame, after: log.seen.length }),
      frame: (frame, section) => log.push({ is: "frame", at: recorder.now, on, frame, ...(section === undefined ? {} : { section }) }),
      garbage: (words, http1) => log.push({ is: "garbage", at: recorder.now, on, text: words, ...(http1 ? { http1 } : {}) }),
      ended: (how) => log.push({ is: "end", at: recorder.now, on, how, ours: wire.endedByUs }),
    },
  });
  return { wire, sent };
}
