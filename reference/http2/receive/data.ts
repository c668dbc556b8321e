import { charge, endTheirs, fail, receiveAbsent } from "../endings.ts";
import type { Endpoint } from "../endpoint.ts";
import { fault, type FaultName } from "../faults.ts";
import { ReceiveWindow } from "../flow/window.ts";
import * as data from "../frame/data.ts";
import type { Head } from "../frame/head.ts";
import { Input, refusal } from "../stream/state.ts";
import type { Stream } from "../stream/streams.ts";

/** DATA (rfc9113#6.1). The whole payload, padding included, counts against both windows, even if the frame is discarded (rfc9113#6.9). */
export function receiveData(e: Endpoint, head: Head, payload: Uint8Array): void {
  const size = payload.length;
  if (!e.credit.take(size)) return fail(e, fault("connectionWindowExceeded"));
  const frame = data.read(head, payload);
  if (frame.is === "fault") {
    e.credit.give(size, e.now);
    return fail(e, frame);
  }
  const stream = e.streams.find(head.stream);
  if (stream === undefined) {
    e.credit.give(size, e.now);
    if (size === 0 && charge(e, "emptyFrames")) return undefined;
    return receiveAbsent(e, head.stream, Input["recv DATA"]);
  }
  const wrong = judge(e, stream, frame, size);
  if (wrong !== undefined) {
    e.credit.give(size, e.now);
    return fail(e, fault(wrong, head.stream));
  }
  const content = frame.data.length;
  // Padding is consumed on arrival.
  if (content !== size) {
    e.credit.give(size - content, e.now);
    e.credit.giveStream(stream, size - content, e.now);
  }
  if (stream.contentLeft >= 0) stream.contentLeft -= content;
  if (content > 0 || frame.endStream) e.emit({ is: "data", stream: head.stream, bytes: frame.data, end: frame.endStream });
  else charge(e, "emptyFrames");
  if (frame.endStream && !e.shutdown.isOver) endTheirs(e, stream);
}

/** Why content is refused: the state of the stream, its window, its content-length. */
function judge(e: Endpoint, stream: Stream, { data: { length: content }, endStream }: data.Data, size: number): FaultName | undefined {
  const wrong = refusal(e.streams.advance(stream.id, Input["recv DATA"], stream));
  if (wrong !== undefined) return wrong;
  if (!stream.hasReceivedHead) return "dataBeforeHeaders";
  if (size > 0) {
    const inbound = (stream.inbound ??= new ReceiveWindow(e.settings.local.initialWindowSize));
    if (!inbound.take(size)) return "windowExceeded";
  }
  if (content > 0 && stream.noContent) return "contentForbidden";
  const left = stream.contentLeft;
  if (left >= 0 && (content > left || (endStream && content !== left))) return "contentLengthWrong";
  return undefined;
}
