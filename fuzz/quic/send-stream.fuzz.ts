import { SendCredit } from "../../reference/quic/stream/credit.ts";
import { SendStream } from "../../reference/quic/stream/send-stream.ts";
import { streamId } from "../../reference/quic/stream-id.ts";
import { pattern } from "../../reference/quic/testing.ts";
import { inputs, Script, shown } from "../lib/script.ts";
import type { Target } from "../lib/target.ts";

type Mark = "unsent" | "flying" | "lost" | "acknowledged";
type Sent = { readonly from: number; readonly to: number; readonly fin: boolean };

/** Two octets a step: what happens, and how much. */
export const target: Target = {
  name: "quic/send-stream",
  about:
    "a stream sends each octet within its credit, again exactly if it was lost, and is done once all of them and the end are acknowledged",
  run(input) {
    const script = new Script(input);
    const connection = new SendCredit(150);
    const stream = new SendStream(streamId(0), 60);
    const marks: Mark[] = [];
    const flying: Sent[] = [];
    let [ended, reset, isEndThere, fresh] = [false, false, false, 0];
    const check = (condition: boolean, words: string): void => {
      if (!condition) throw new Error(`${words}: ${shown([marks.join(" "), stream.state, flying])}`);
    };
    const mark = ({ from, to }: Sent, as: Mark): void => {
      for (let at = from; at < to; at++) if (marks[at] !== "acknowledged") marks[at] = as;
    };
    while (!script.ended) {
      const kind = script.next();
      const amount = script.next();
      switch (kind & 7) {
        case 0: {
          if (ended || reset) break;
          const length = amount & 0x3f;
          if (marks.length + length > 400) break;
          ended = (kind & 0x80) !== 0;
          stream.write(pattern(marks.length, length), ended);
          for (let at = 0; at < length; at++) marks.push("unsent");
          break;
        }
        case 1:
        case 2: {
          const most = (amount & 0x1f) + 1;
          const wants = stream.wants(connection);
          const piece = stream.take(most, connection);
          check(wants === (piece !== undefined), "it wants to send and does not, or the other way round");
          if (piece === undefined) break;
          const { offset: from, data, fin } = piece;
          check(data.length <= most && !reset, "more than there is room for, or after a reset");
          check(Buffer.from(data).equals(pattern(from, data.length)), "other octets than were written");
          const to = from + data.length;
          for (let at = from; at < to; at++) {
            check(marks[at] === "unsent" || marks[at] === "lost", `octet ${at} is sent although it is ${marks[at]}`);
            if (marks[at] === "unsent") fresh++;
            marks[at] = "flying";
          }
          check(fresh <= stream.credit.limit && fresh <= connection.limit, `${fresh} octets exceed the credit`);
          check(!fin || (ended && to === marks.length), "FIN before the end of the stream");
          flying.push({ from, to, fin });
          break;
        }
        case 3: {
          const [one] = flying.splice(amount % Math.max(1, flying.length), 1);
          if (one === undefined) break;
          stream.acknowledged(one.from, one.to, one.fin);
          mark(one, "acknowledged");
          isEndThere ||= one.fin;
          break;
        }
        case 4: {
          const [one] = flying.splice(amount % Math.max(1, flying.length), 1);
          if (one === undefined) break;
          stream.lost(one.from, one.to, one.fin);
          if (!reset) mark(one, "lost");
          break;
        }
        case 5:
          stream.credit.raise(amount * 2);
          connection.raise(amount * 2 + (kind >> 3));
          break;
        case 6:
          if ((kind & 0xf8) === 0xf8) reset = stream.reset(amount) || reset;
          break;
        default: {
          // Everything in flight is late: it counts as lost, and is acknowledged after all.
          const [one] = flying;
          if (one === undefined || reset) break;
          stream.lost(one.from, one.to, one.fin);
          stream.acknowledged(one.from, one.to, one.fin);
          flying.shift();
          mark(one, "acknowledged");
          isEndThere ||= one.fin;
        }
      }
      if (reset) continue;
      const isAll = isEndThere && marks.every((one) => one === "acknowledged");
      check(stream.isDone === isAll, "it is done before everything is acknowledged, or not then");
      check(stream.sent === fresh, `${stream.sent} octets sent`);
    }
    if (reset) return;
    // With credit and a network that loses nothing it comes to its end.
    stream.credit.raise(1_000);
    connection.raise(1_000);
    for (const one of flying.splice(0)) stream.lost(one.from, one.to, one.fin);
    for (let piece = stream.take(50, connection); piece !== undefined; piece = stream.take(50, connection))
      stream.acknowledged(piece.offset, piece.offset + piece.data.length, piece.fin);
    check(!ended || stream.isDone, "it does not come to its end");
  },
  seeds: inputs(
    "0020 0108 0208 0300 0400 801e 0110 0120 0300 0300 0300",
    "003f 011f 011f 0700 0400 0564 011f 0300",
    "8005 0102 0104 0401 0400 0110 0300",
    "0010 0108 fe07 0300",
  ),
  maxLength: 240,
};
