import { messageScene } from "./rpc-messages.ts";
import { valueScene } from "./rpc-values.ts";
import { Chance } from "./chance.ts";

/** One life of the wire level of RPC: the messages of two streams, or a dozen values that are read and written. */
export function live(seed: number): string {
  const chance = new Chance(seed);
  return (chance.once(3) ? [messageScene(chance), messageScene(chance)] : Array.from({ length: 12 }, () => valueScene(chance))).join("\n");
}
