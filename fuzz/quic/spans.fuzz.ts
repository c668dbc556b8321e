import { Spans } from "../../reference/quic/spans.ts";
import { inputs, Script, shown } from "../lib/script.ts";
import type { Target } from "../lib/target.ts";

/** All numbers are below this, so that a model can look at each. */
const END = 64;

const isIn = (model: ReadonlySet<number>, from: number, to: number): boolean => {
  for (let at = from; at < to; at++) if (!model.has(at)) return false;
  return true;
};

/** The runs of numbers below `END` for which something holds. */
function runsOf(holds: (value: number) => boolean, from = 0, to = END): { readonly from: number; readonly to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (let at = from; at < to; at++) {
    const last = runs.at(-1);
    if (!holds(at)) continue;
    if (last?.to === at) last.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
  }
  return runs;
}

function same(what: string, got: unknown, wanted: unknown): void {
  if (shown(got) !== shown(wanted)) throw new Error(`${what} is ${shown(got)}, not ${shown(wanted)}`);
}

/** Three octets a step: what happens, and two ends of a span. */
export const target: Target = {
  name: "quic/spans",
  about: "spans have what a plain set of numbers has after any additions and removals",
  run(input) {
    const script = new Script(input);
    const spans = new Spans();
    const model = new Set<number>();
    while (!script.ended) {
      const [kind, from, to] = [script.next(), script.next() % END, script.next() % END];
      if ((kind & 3) !== 3) {
        const isNew = from < to && !isIn(model, from, to);
        for (let at = from; at < to; at++) model.add(at);
        same("add", spans.add(from, to), isNew);
      } else {
        for (let at = from; at < to; at++) model.delete(at);
        spans.remove(from, to);
      }
      const list = runsOf((value) => model.has(value));
      same("the list", spans.list, list);
      same("size, first and last", [spans.size, spans.first ?? 0, spans.last ?? 0], [list.length, list[0] ?? 0, list.at(-1) ?? 0]);
      same("has", spans.has(from), model.has(from));
      same("covers", spans.covers(from, to), isIn(model, from, to));
      same(
        "missing",
        spans.missing(from, to),
        runsOf((value) => !model.has(value), from, to),
      );
    }
  },
  seeds: inputs("00010a 000a14 030512 000c0d 020020", "002030 001020 00003f 030a0b 03003f"),
  maxLength: 300,
};
