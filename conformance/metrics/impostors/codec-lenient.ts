import type { Sample } from "../../../vectors/exposition/source/craft.ts";

/** A reader that accepts every page: from each line, whatever looks like a name, labels and a number, unchecked. */
export const readAnything = (page: string): Sample[] =>
  page
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.trim().startsWith("#"))
    .map((line) => {
      const [, name = "", labels = "", rest = ""] = /^\s*([^\s{]*)\s*(\{.*\})?(.*)$/.exec(line) ?? [];
      const [value = "", timestamp] = rest.trim().split(/\s+/);
      return {
        name,
        labels: [...labels.matchAll(/([\w.]+)\s*=\s*"((?:[^"\\]|\\.)*)"/g)].map(([, label = "", text = ""]) => [label, text] as const),
        value: Number.isNaN(Number(value)) ? "NaN" : String(Number(value)),
        ...(timestamp === undefined || Number.isNaN(Number(timestamp)) ? {} : { timestamp: Number(timestamp) }),
      };
    });
