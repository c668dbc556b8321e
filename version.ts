import { readFileSync } from "node:fs";

/** The package's version, as its package.json tells it: beside the sources in a checkout, one folder up in what was built. */
function read(): string {
  for (const place of ["./package.json", "../package.json"]) {
    try {
      const found = JSON.parse(readFileSync(new URL(place, import.meta.url), "utf8")) as { name?: string; version?: string };
      if (found.name === "@touchstone-suite/touchstone" && found.version !== undefined) return found.version;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  throw new Error("touchstone: package.json is missing beside the program; install the package again.");
}

export const version: string = read();
