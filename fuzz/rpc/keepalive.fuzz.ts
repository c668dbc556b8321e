import { instant, NEVER, type Instant } from "../../reference/core/index.ts";
import { Keepalive, type KeepaliveOptions } from "../../reference/http2/index.ts";
import type { Target } from "../lib/target.ts";

/** Any life of a watched connection in virtual time: its peer speaks, is silent, and streams come and go. */
export const target: Target = {
  name: "rpc/keepalive",
  about:
    "a PING is sent only after silence and with streams; a connection is dead only without any octet for the whole time-out, and always then",
  run(input) {
    const [how = 0, time = 0] = input;
    const options: KeepaliveOptions = { timeMs: 10 + time, timeoutMs: 5 + (how >> 1), withoutStreams: (how & 1) === 1 };
    let now = 0;
    let heard = 0;
    let streams = 1;
    let asked: number | undefined;
    const keepalive = new Keepalive(options, instant(0));
    const tick = (): boolean => {
      const what = keepalive.tick({ now: instant(now), heard: instant(heard), streams });
      const silence = now - heard;
      const isOpen = asked !== undefined && heard < asked;
      if (what === "ping") {
        if (silence < options.timeMs) throw new Error(`a PING after ${silence} ms`);
        if (streams === 0 && !options.withoutStreams) throw new Error("a PING without streams");
        if (isOpen) throw new Error("a second PING before an answer");
        asked = now;
      }
      if (what === "dead" && !(isOpen && now - asked! >= options.timeoutMs)) throw new Error("dead, and it was not");
      if (what === undefined && isOpen && now - asked! >= options.timeoutMs) throw new Error("alive, and it was not");
      if (what !== "dead" && keepalive.deadline <= now) throw new Error("the deadline does not move on");
      if (keepalive.deadline === NEVER && (streams > 0 || options.withoutStreams)) throw new Error("nobody watches");
      return what === "dead";
    };
    for (let at = 2; at + 1 < input.length; at += 2) {
      const value = input[at + 1]!;
      switch (input[at]! % 3) {
        case 0: {
          const until = now + value;
          while (keepalive.deadline <= until) {
            now = Math.max(now, keepalive.deadline satisfies Instant);
            if (tick()) return;
          }
          now = until;
          break;
        }
        case 1:
          heard = now;
          break;
        default:
          streams = value % 3;
          if (tick()) return;
      }
    }
  },
  seeds: ["0014000a000a000a0100000a", "01140200001e02010064", "0a320000ff0100ff0200ff0201ff"].map(
    (hex) => new Uint8Array(Buffer.from(hex, "hex")),
  ),
  dictionary: ["00ff", "0100", "0200", "0201"].map((hex) => new Uint8Array(Buffer.from(hex, "hex"))),
  maxLength: 80,
};
