import { field, type Field } from "../../reference/core/index.ts";
import { inputs, Script } from "../lib/script.ts";
import type { Target } from "../lib/target.ts";
import { Link } from "./link.ts";

const CAPACITIES = [0, 60, 120, 220, 4_096, 64, 33, 1_000];
const NAMES = ["a", "bb", "x-long-name", ":path", "server", "accept", ":status", "authorization"];

/** Fields of a section: a name and the length of its value in two octets, then the value. */
const fieldsOf = (script: Script, count: number): Field[] =>
  Array.from({ length: count }, () => {
    const kind = script.next();
    const value = Buffer.from(script.take(script.next() & 0x3f)).toString("latin1");
    return field(NAMES[kind & 7]!, value, kind >= 0xf0);
  });

/** Encoder and decoder stay in step whatever comes late, in pieces or never. */
export const target: Target = {
  name: "qpack/connection",
  about: "sections give their fields back over a connection with delays, cuts and cancelled streams, within every limit",
  run(input) {
    const script = new Script(input);
    const head = script.next();
    const link = new Link({
      capacity: CAPACITIES[head & 7]!,
      blocked: (head >> 3) & 3,
      own: (head & 0x20) === 0 ? 4_096 : 100,
      credit: (head & 0x40) === 0 ? Infinity : 100,
    });
    while (!script.ended) {
      const kind = script.next();
      const stream = (kind >> 3) & 7;
      switch (kind & 7) {
        case 0:
        case 1:
        case 2:
          link.perform({ is: "send", stream, fields: fieldsOf(script, 1 + (kind >> 6)) });
          break;
        case 3:
          link.perform({ is: "instructions", octets: script.next() });
          break;
        case 4:
        case 5:
          link.perform({ is: "section", which: kind >> 3 });
          break;
        case 6:
          link.perform({ is: "answers", octets: kind >> 3 });
          break;
        case 7:
          link.perform({ is: "cancel", stream });
      }
    }
    link.settle();
  },
  seeds: inputs("1b00000161000162033c0405de00000161", "0a400001610101620102630336040eee"),
  maxLength: 512,
};
