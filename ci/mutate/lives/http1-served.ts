import { askingLife } from "./http1-asking.ts";
import { Draw } from "./http1-draw.ts";
import { piecesLife } from "./http1-pieces.ts";
import { servingLife } from "./http1-serving.ts";

/** One life of the layer over the machine of HTTP/1.1, on a connection in memory: a server, a client, or a part of them. */
export function live(seed: number): Promise<string> {
  const d = new Draw(seed);
  switch (d.below(5)) {
    case 0:
      return piecesLife(d);
    case 1:
    case 2:
      return askingLife(d);
    default:
      return servingLife(d);
  }
}
