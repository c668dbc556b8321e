import type { Target } from "../../../fuzz/lib/target.ts";
import { answerTo } from "./protocol.ts";

export const target: Target = {
  name: "toy/line",
  about: "an answer is pong or error",
  maxLength: 32,
  seeds: [new TextEncoder().encode("ping 1")],
  run: (input) => {
    if (!/^pong|^error /.test(answerTo(Buffer.from(input).toString("latin1")))) throw new Error("another answer");
  },
};
