import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The command that starts a module as a codec process: from source in a checkout, compiled in the package. */
export function codecCommand(module: string, from: string): string {
  const source = join(dirname(fileURLToPath(from)), module);
  const file = existsSync(source) ? source : source.replace(/\.ts$/, ".js");
  return [process.execPath, file].map((word) => `'${word}'`).join(" ");
}
