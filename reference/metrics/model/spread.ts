/** FNV-1a in 32 bits with its bits mixed. */
function hashOf(text: string): number {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** An offset within an interval that is always the same for a text: spreads targets and groups of rules evenly. */
export const spreadIn = (seed: string, intervalMs: number): number => hashOf(seed) % intervalMs;
