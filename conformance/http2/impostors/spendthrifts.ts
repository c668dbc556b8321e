import type { Reaction, Peer } from "./peer.ts";
import type { ServerFlaw } from "./flaw.ts";

/** Servers that put a stop to a flood: what it has cost them by then is another matter, and is seen only where it is measured. */

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
  // Written to, so that it lies in memory and is not only promised.
  hoard.push(new Uint8Array(KEPT).fill(1));
}

function toil(): void {
  // Processor time, and not the time of day: on a busy machine they differ.
  const began = process.cpuUsage();
  const spent = (): number => {
    const { user, system } = process.cpuUsage(began);
    return user + system;
  };
  while (spent() < (TOIL_MS * 1000) / PATIENCE);
}

export const SPENDTHRIFTS: Readonly<Record<string, ServerFlaw>> = {
  calm: {
    about: "stops a flood at the five hundredth frame, and has spent nothing",
    meets: ({ type }, peer) => calm(peer, type, () => {}),
  },
  hoards: {
    about: "stops it as well, and has kept 256 KiB for each frame until then",
    meets: ({ type }, peer) => calm(peer, type, () => keep(peer)),
  },
  toils: { about: "stops it as well, and has pondered 3 ms over each frame", meets: ({ type }, peer) => calm(peer, type, toil) },
};
