import type { Case } from "../vocabulary.ts";
import { loadCases } from "../cases/load.ts";

/** The common parts of the parties of servers and clients. */

/** How long to wait for silence: short, because everything is on loopback. */
export const SILENCE_MS = 400;

/** Impostors that must pass nothing fail every case. They are judged separately, and a case that only they fail counts as uncaught. */
export const MUTE = ["silent", "slams", "leaves-at-once", "fails-at-once"] as const;
export const culprits = (flaws: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(flaws).filter((name) => !MUTE.some((mute) => mute === name));

/** An impostor has no deadlines: one that ignores a short wait ignores the long one too. */
const hastened = (steps: Case["steps"]): Case["steps"] =>
  steps.map((step) => (step.do === "wait" ? { ...step, ms: Math.min(step.ms, SILENCE_MS) } : step));

/** The cases of a role, with waits cut short. */
export const casesFor = async (role: Case["role"]): Promise<Case[]> =>
  (await loadCases()).filter((c) => c.role === role).map((c) => ({ ...c, steps: hastened(c.steps), control: hastened(c.control) }));
