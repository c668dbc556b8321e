import type { Region } from "./cover.ts";

/**
 * The lives of a part of the reference. A life is what a machine without I/O does with random input that a seed draws: all that goes in and all
 * that comes out, as text. A mutant whose lives all equal those of the original is presumed to be equivalent to it.
 */
export type LivesModule = { readonly live: (seed: number) => string | Promise<string> };

/** What a process of lives does: record those of the original, compare those of a mutant, or tell one of the original. */
export type LivesAsked =
  | { readonly is: "record"; readonly root: string; readonly module: string; readonly count: number; readonly hashes: string }
  | { readonly is: "compare"; readonly module: string; readonly count: number; readonly hashes: string }
  | { readonly is: "tell"; readonly module: string; readonly seed: number; readonly hashes: string };
export type LivesSaid =
  | { readonly is: "recorded"; readonly ms: number; readonly regions: Readonly<Record<string, readonly Region[]>> }
  /** Comparing continues. */
  | { readonly is: "at"; readonly seed: number }
  | { readonly is: "alike" }
  | { readonly is: "differs"; readonly seed: number; readonly text: string }
  | { readonly is: "told"; readonly text: string }
  | { readonly is: "failed"; readonly why: string };
