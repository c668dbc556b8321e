import { seeded } from "../../../reference/core/index.ts";
import { answerTo } from "./protocol.ts";

/** A line, sometimes a good one, and the answer to it. */
export function live(seed: number): string {
  const random = seeded(seed);
  const line = random() < 0.5 ? `ping ${Math.floor(random() * 100)}` : "hello";
  return `${line}\n${answerTo(line)}`;
}
