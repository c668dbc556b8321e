import { STRICT, type Leniency, type Limits } from "../../../reference/http1/index.ts";
import type { Draw } from "./http1-draw.ts";
import type { Message } from "./http1-messages.ts";

/** Limits that some message meets exactly, passes by one, or misses by one; and times short enough to pass. */
export function limitsFor(d: Draw, { method, line, fields, body }: Message): Partial<Limits> {
  const near = (size: number): number => Math.max(0, size + d.of([-1, 0, 0, 1]));
  const target = line.trim().split(" ")[1] ?? "";
  const extensions = body.split("\r\n").reduce((sum, part) => sum + (/^[\da-f]+([ \t]*;.*)$/i.exec(part)?.[1]?.length ?? 0), 0);
  const lengths = body.split("\r\n").flatMap((part) => (/^[\da-f]+$/i.test(part) ? [Number.parseInt(part, 16)] : []));
  const trailers = body.slice(body.indexOf("\r\n") + 2).length;
  const all: Limits = {
    headMs: d.between(1, 50),
    contentMs: d.between(1, 50),
    contentRate: d.of([1, 10, 250, 1_000]),
    idleMs: d.between(1, 50),
    emptyLines: d.below(4),
    methodOctets: near(method.length),
    targetOctets: d.once(2) ? near(target.length) : near(line.length),
    fieldOctets: near(fields.join("").length + 2),
    fields: near(fields.length),
    trailerOctets: d.once(2) ? near(trailers) : d.between(1, 24),
    contentOctets: d.once(2) ? near(body.length) : near(lengths.reduce((sum, one) => sum + one, 0)),
    chunkExtensionOctets: near(extensions),
    tinyChunks: near(lengths.filter((one) => one > 0 && one < 16).length),
    discardOctets: d.below(body.length + 3),
    unreadOctets: d.between(1, 30),
    heldOctets: d.between(1, 60),
    requests: d.between(1, 4),
    pipelined: d.between(1, 4),
    interims: d.below(4),
    highWater: d.below(60),
  };
  const times = d.once(2) ? 1 : d.between(2, 12);
  return Object.fromEntries(Object.entries(all).filter(() => d.once(times)));
}

/** The strict reader half of the time. */
export function leniencies(d: Draw): Partial<Leniency> {
  if (d.once(2)) return {};
  const times = d.between(1, 4);
  return Object.fromEntries(Object.keys(STRICT).map((name) => [name, d.once(times)]));
}
