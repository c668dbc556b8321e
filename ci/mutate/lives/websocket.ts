import { seeded } from "../../../reference/core/index.ts";
import { extensionLife, handshakeLife } from "./websocket-handshakes.ts";
import { longLife, machineLife, pairLife } from "./websocket-lives.ts";
import { partsLife } from "./websocket-parts.ts";

/** One life of WebSocket: one machine, two that talk, one long message, a handshake, the grammar of extensions, or parts by themselves. */
export function live(seed: number): string {
  const draw = seeded(seed);
  const kind = draw();
  if (kind < 0.46) return machineLife(draw);
  if (kind < 0.63) return pairLife(draw);
  if (kind < 0.67) return longLife(draw);
  if (kind < 0.83) return handshakeLife(draw);
  return kind < 0.9 ? extensionLife(draw) : partsLife(draw);
}
