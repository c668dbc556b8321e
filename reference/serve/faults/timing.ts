import { MOST_MS, MOST_OCTETS, number, type Actor, type AnyUnit, type Fault, type kitOf, type Line, type Pass } from "./fault.ts";

/** Octets that may wait here; with more the connection is dropped. */
const MOST_WAITING = MOST_OCTETS;

/** Faults in the timing of octets, in any protocol. */
export function timing<Unit extends AnyUnit, Head extends Unit, On extends Line<Unit>>(
  kit: ReturnType<typeof kitOf<Unit, Head, On>>,
): readonly Fault<Unit, On>[] {
  const isFree = (unit: Unit): boolean => unit.stream === 0 && kit.cutBy(unit) === undefined;

  /** Units in order, each not before its time. */
  const queue = (dueIn: () => number): Actor<Unit> => {
    const waiting: { readonly unit: Unit; readonly at: number }[] = [];
    let size = 0;
    let timer: NodeJS.Timeout | undefined;
    const next = (pass: Pass<Unit>): void => {
      timer = undefined;
      for (let [first] = waiting; first !== undefined; [first] = waiting) {
        const left = first.at - performance.now();
        if (left > 0) {
          timer = setTimeout(next, left, pass);
          return;
        }
        waiting.shift();
        size -= kit.size(first.unit);
        pass(first.unit);
      }
    };
    return {
      outgoing: (unit, pass) => {
        size += kit.size(unit);
        if (size > MOST_WAITING) return pass(kit.cut("reset"));
        waiting.push({ unit, at: performance.now() + dueIn() });
        timer ??= setTimeout(next, dueIn(), pass);
        return undefined;
      },
      closed: () => {
        clearTimeout(timer);
        waiting.length = 0;
      },
    };
  };

  return [
    kit.define("delay", {
      title: `delays everything that belongs to a ${kit.message}`,
      args: { ms: number(1, MOST_MS, 500, "milliseconds") },
      isTiming: true,
      start: ({ ms }) => {
        const late = queue(() => ms);
        let hasBegun = false;
        return {
          ...late,
          outgoing: (unit, pass) => {
            if (isFree(unit) || (!hasBegun && unit.stream === 0)) return pass(unit);
            hasBegun = true;
            return late.outgoing(unit, pass);
          },
        };
      },
    }),
    kit.define("slow", {
      title: `sends a few octets at a time, beginning with the first ${kit.message}`,
      args: {
        octets: number(1, MOST_OCTETS, 1, "octets at a time"),
        ms: number(1, MOST_MS, 20, "milliseconds between them"),
      },
      byRequest: false,
      isTiming: true,
      start: ({ octets: size, ms }, line) => {
        const waiting: Unit[] = [];
        let current: Uint8Array = new Uint8Array(0);
        let of: Unit | undefined;
        let held = 0;
        let timer: NodeJS.Timeout | undefined;
        const next = (pass: Pass<Unit>): void => {
          while (current.length === 0) {
            const unit = waiting.shift();
            if (unit === undefined) {
              clearInterval(timer);
              timer = undefined;
              return;
            }
            if (kit.cutBy(unit) !== undefined) return pass(unit);
            held -= kit.size(unit);
            current = line.octetsOf(unit);
            of = unit;
            if (current.length === 0) pass(unit);
          }
          const now = current.subarray(0, size);
          current = current.subarray(size);
          if (of !== undefined) pass(kit.part(of, now, current.length === 0));
        };
        return {
          outgoing: (unit, pass) => {
            if (timer === undefined && unit.stream === 0) return pass(unit);
            held += kit.size(unit);
            if (held > MOST_WAITING) return pass(kit.cut("reset"));
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
  ];
}
