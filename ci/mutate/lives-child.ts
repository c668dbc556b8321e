import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { beginCover } from "./cover.ts";
import type { LivesAsked, LivesModule, LivesSaid } from "./lives-ipc.ts";

/** How often a comparison reports that it continues. */
const REPORT_MS = 1_000;

const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 12);
const hashesIn = (file: string): readonly string[] => JSON.parse(readFileSync(file, "utf8")) as string[];

/** A program that performs lives, of the original or of the mutant that its loader hook puts in, and exits. */
async function perform(asked: LivesAsked): Promise<LivesSaid> {
  const cover = asked.is === "record" ? await beginCover(asked.root) : undefined;
  const { live } = (await import(pathToFileURL(asked.module).href)) as LivesModule;
  switch (asked.is) {
    case "record": {
      const began = performance.now();
      const hashes: string[] = [];
      for (let seed = 0; seed < asked.count; seed++) hashes.push(hashOf(await live(seed)));
      const ms = Math.round(performance.now() - began);
      writeFileSync(asked.hashes, JSON.stringify(hashes));
      return { is: "recorded", ms, regions: (await cover?.()) ?? {} };
    }
    case "compare": {
      const hashes = hashesIn(asked.hashes);
      let reportedAt = performance.now();
      for (let seed = 0; seed < asked.count; seed++) {
        if (performance.now() - reportedAt > REPORT_MS) {
          process.send?.({ is: "at", seed } satisfies LivesSaid);
          reportedAt = performance.now();
        }
        const text = await tried(live, seed);
        if (hashOf(text) !== hashes[seed]) return { is: "differs", seed, text };
      }
      return { is: "alike" };
    }
    case "tell": {
      const text = await live(asked.seed);
      const isSame = hashOf(text) === hashesIn(asked.hashes)[asked.seed];
      return isSame ? { is: "told", text } : { is: "failed", why: "not the same twice: something outside the seed decides it" };
    }
  }
}

/** A mutant may throw: that is its text then. */
async function tried(live: LivesModule["live"], seed: number): Promise<string> {
  try {
    return await live(seed);
  } catch (error) {
    return `throws ${String(error)}`;
  }
}

process.send?.(await perform(JSON.parse(process.argv[2] ?? "") as LivesAsked), () => process.exit(0));
