import { CONNECTION } from "../../http2/index.ts";
import { defineFault, MOST_FRAMES, MOST_MS, MOST_OCTETS, number, type Actor, type Fault, type Pass } from "./fault.ts";
import { cut, octets, type Unit } from "./unit.ts";

/** Octets that may wait here; with more the connection is dropped. */
const MOST_WAITING = MOST_OCTETS;

const sizeOf = (unit: Unit): number => (unit.is === "frame" ? unit.payload.length : unit.is === "octets" ? unit.bytes.length : 1_024);

/** Units in order, each not before its time. */
function queue(dueIn: (unit: Unit) => number): Actor {
  const waiting: { readonly unit: Unit; readonly at: number }[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  const next = (pass: Pass): void => {
    timer = undefined;
    for (let [first] = waiting; first !== undefined; [first] = waiting) {
      const left = first.at - performance.now();
      if (left > 0) {
        timer = setTimeout(next, left, pass);
        return;
      }
      waiting.shift();
      size -= sizeOf(first.unit);
      pass(first.unit);
    }
  };
  return {
    outgoing: (unit, pass) => {
      size += sizeOf(unit);
      if (size > MOST_WAITING) return pass(cut(CONNECTION, "reset"));
      waiting.push({ unit, at: performance.now() + dueIn(unit) });
      timer ??= setTimeout(next, dueIn(unit), pass);
      return undefined;
    },
    closed: () => {
      clearTimeout(timer);
      waiting.length = 0;
    },
  };
}

/** Faults in the timing of octets. */
export const timing: readonly Fault[] = [
  defineFault("delay", {
    title: "delays every frame of a stream; frames of the connection leave at once",
    args: { ms: number(1, MOST_MS, 500, "milliseconds") },
    isTiming: true,
    start: ({ ms }) => {
      const late = queue(() => ms);
      return { ...late, outgoing: (unit, pass) => (unit.stream === CONNECTION ? pass(unit) : late.outgoing(unit, pass)) };
    },
  }),
  defineFault("slow", {
    title: "sends a few octets at a time, beginning with the first response",
    args: {
      octets: number(1, MOST_OCTETS, 1, "octets at a time"),
      ms: number(1, MOST_MS, 20, "milliseconds between them"),
    },
    byRequest: false,
    isTiming: true,
    start: ({ octets: size, ms }, line) => {
      const waiting: Unit[] = [];
      let current: Uint8Array = new Uint8Array(0);
      let held = 0;
      let timer: NodeJS.Timeout | undefined;
      const next = (pass: Pass): void => {
        while (current.length === 0) {
          const unit = waiting.shift();
          if (unit === undefined) {
            clearInterval(timer);
            timer = undefined;
            return;
          }
          if (unit.is === "cut") return pass(unit);
          held -= sizeOf(unit);
          current = line.octetsOf(unit);
        }
        pass(octets(CONNECTION, current.subarray(0, size)));
        current = current.subarray(size);
      };
      return {
        outgoing: (unit, pass) => {
          if (timer === undefined && unit.stream === CONNECTION) return pass(unit);
          held += sizeOf(unit);
          if (held > MOST_WAITING) return pass(cut(CONNECTION, "reset"));
          waiting.push(unit);
          timer ??= setInterval(next, ms, pass);
          return undefined;
        },
        closed: () => {
          clearInterval(timer);
          waiting.length = 0;
        },
      };
    },
  }),
  defineFault("silence", {
    title: "sends nothing after a number of stream frames, and leaves the connection open",
    args: { after: number(0, MOST_FRAMES, 0, "the number of frames") },
    start: ({ after }, line) => {
      let count = 0;
      return {
        outgoing: (unit, pass) => {
          if (unit.stream !== CONNECTION) count++;
          if (count > after) line.drop(unit);
          else pass(unit);
        },
      };
    },
  }),
];
