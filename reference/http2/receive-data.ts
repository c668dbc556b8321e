import { fault, type FaultName } from "./faults.ts";
import { ReceiveWindow } from "./flow-window.ts";
import * as data from "./frame/data.ts";
import type { Head } from "./frame/head.ts";
import type { Session } from "./session.ts";
import { Input, refusal, step } from "./stream-state.ts";
import { Phase, type Stream } from "./streams.ts";

/** DATA (rfc9113#6.1). The whole payload counts against both windows, padding included, whatever becomes of the frame (rfc9113#6.9). */
export function receiveData(s: Session, head: Head, payload: Uint8Array): void {
  const size = payload.length;
  if (!s.inbound.take(size)) return s.fail(fault("connectionWindowExceeded"));
  const frame = data.read(head, payload);
  if (frame.is === "fault") {
    s.giveConnection(size);
    return s.fail(frame);
  }
  const stream = s.streams.find(head.stream);
  if (stream === undefined) {
    s.giveConnection(size);
    if (size === 0 && s.charge("emptyFrames")) return undefined;
    return s.late(head.stream, "DATA");
  }
  const wrong = judge(s, stream, frame, size);
  if (wrong !== undefined) {
    s.giveConnection(size);
    return s.fail(fault(wrong, head.stream));
  }
  const content = frame.data.length;
  // Padding is consumed on arrival.
  if (content !== size) {
    s.giveConnection(size - content);
    s.giveStream(stream, size - content);
  }
  if (stream.contentLeft >= 0) stream.contentLeft -= content;
  if (content > 0 || frame.endStream) s.emit({ is: "data", stream: head.stream, bytes: frame.data, end: frame.endStream });
  else s.charge("emptyFrames");
  if (frame.endStream && !s.closed) s.endTheirs(stream);
}

/** What is wrong with content here: the state of the stream, its window, its content-length. */
function judge(s: Session, stream: Stream, { data: { length: content }, endStream }: data.Data, size: number): FaultName | undefined {
  const next = step(stream.state, Input["recv DATA"]);
  if (next < 0) return refusal(next);
  if (stream.incoming !== Phase.content) return "dataBeforeHeaders";
  if (size > 0) {
    const inbound = (stream.inbound ??= new ReceiveWindow(s.local.initialWindowSize));
    if (!inbound.take(size)) return "windowExceeded";
  }
  if (content > 0 && stream.noContent) return "contentForbidden";
  const left = stream.contentLeft;
  if (left >= 0 && (content > left || (endStream && content !== left))) return "contentLengthWrong";
  return undefined;
}
