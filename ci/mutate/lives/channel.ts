import { seeded } from "../../../reference/core/index.ts";
import { agentLife, clientLife, worldLife } from "./channel-lives.ts";
import { partsLife } from "./channel-parts.ts";

/** One life of the channel: a hub with its sessions, an agent or a client whose hub says anything, or parts by themselves. */
export function live(seed: number): string {
  const draw = seeded(seed);
  const kind = draw();
  if (kind < 0.55) return worldLife(draw);
  if (kind < 0.7) return agentLife(draw);
  return kind < 0.85 ? clientLife(draw) : partsLife(draw);
}
