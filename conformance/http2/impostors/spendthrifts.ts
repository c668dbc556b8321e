import type { Reaction, Peer } from "./peer.ts";
import type { ServerFlaw } from "./flaw.ts";

/** Servers that stop a flood, at different costs, which show only in the measurement. */

const PATIENCE = 500;
const KEPT = 262_144;
const TOIL_MS = 1500;
const hoards = new WeakMap<Peer, Uint8Array[]>();

const calm = (peer: Peer, type: string, spend: () => void): Reaction | undefined => {
  const came = peer.came.get(type) ?? 0;
  if (came > 1) spend();
  return came < PATIENCE ? undefined : { goaway: "ENHANCE_YOUR_CALM" };
};

function keep(peer: Peer): void {
  const hoard = hoards.get(peer) ?? [];
  hoards.set(peer, hoard);
  // Written to, so that it becomes resident.
  hoard.push(new Uint8Array(KEPT).fill(1));
}

function toil(): void {
  // Processor time, not wall time: they differ on a busy machine.
  const began = process.cpuUsage();
  const spent = (): number => {
    const { user, system } = process.cpuUsage(began);
    return user + system;
  };
  while (spent() < (TOIL_MS * 1000) / PATIENCE);
}

export const SPENDTHRIFTS: Readonly<Record<string, ServerFlaw>> = {
  calm: {
    about: "stops a flood at the five hundredth frame, at no cost",
    meets: ({ type }, peer) => calm(peer, type, () => {}),
  },
  hoards: {
    about: "stops it too, but keeps 256 KiB for each frame until then",
    meets: ({ type }, peer) => calm(peer, type, () => keep(peer)),
  },
  toils: { about: "stops it too, but spends 3 ms on each frame", meets: ({ type }, peer) => calm(peer, type, toil) },
};
