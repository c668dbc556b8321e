import { Page, readOpenMetrics, readText, SCRAPE } from "../../../reference/metrics/exposition/index.ts";
import type { Pages } from "./pages.ts";

export type Format = "text" | "openmetrics";
export type Pass = { readonly samples: number; readonly seconds: number; readonly wallSeconds: number };
/** A parser that reads a page `times` times and measures the duration. */
export type Subject = {
  readonly name: string;
  readonly formats: readonly Format[];
  run(format: Format, times: number): Promise<Pass>;
};

const READERS = { text: readText, openmetrics: readOpenMetrics } as const;

/** Touchstone: as for a scrape (positions and values of all series), with the labels of all series as strings, and strictly. */
export function ours(pages: Pages): Subject[] {
  const page = new Page();
  const subject = (name: string, pass: (format: Format) => number): Subject => ({
    name: `touchstone, ${name}`,
    formats: ["text", "openmetrics"],
    run(format, times) {
      const cpu = process.cpuUsage();
      const wall = performance.now();
      let samples = 0;
      for (let i = 0; i < times; i++) samples += pass(format);
      const { user, system } = process.cpuUsage(cpu);
      return Promise.resolve({ samples, seconds: (user + system) / 1e6, wallSeconds: (performance.now() - wall) / 1e3 });
    },
  });
  const read = (format: Format, lenient: typeof SCRAPE): number => {
    const fault = READERS[format](page, pages[format], { lenient });
    if (fault !== undefined) throw new Error(fault.message);
    return page.count;
  };
  return [
    subject("scrape", (format) => read(format, SCRAPE)),
    subject("scrape, labels as strings", (format) => {
      const count = read(format, SCRAPE);
      let labels = 0;
      for (let n = 0; n < count; n++) labels += page.labels(n).length;
      if (labels === 0) throw new Error("no labels");
      return count;
    }),
    subject("strict, families too", (format) => read(format, {})),
  ];
}
