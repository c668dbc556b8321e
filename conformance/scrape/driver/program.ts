import { SubjectProcess, words } from "../../harness/subject/subject-process.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";

/** A running scraper: a command, or a function. */
export type Program = {
  readonly ended: Promise<unknown>;
  readonly complaint: () => string;
  stop(): Promise<void>;
};

/** What a command's placeholders stand for. */
export type Places = { readonly config: string; readonly dir: string; readonly port: string };
/** How long a function may take to end. */
const GRACE_MS = 10_000;

export function startScraper(client: string | InProcessClient, places: Places): Program {
  if (typeof client === "string") {
    const fill = (word: string): string => word.replaceAll(/\{(config|dir|port)\}/g, (_, name: keyof Places) => places[name]);
    const program = new SubjectProcess(words(client).map(fill), "ignore");
    return { ended: program.ended, complaint: () => program.complaint, stop: () => program.kill() };
  }
  const abort = new AbortController();
  let complaint = "";
  const { config, dir: directory, port } = places;
  const ended = client(`http://127.0.0.1:${port}/`, abort.signal, {
    url: `http://127.0.0.1:${port}/`,
    method: "GET",
    scraper: { config, directory, port: Number(port) },
  }).catch((error: unknown) => {
    complaint = error instanceof Error ? error.message : String(error);
  });
  return {
    ended,
    complaint: () => complaint,
    stop: async () => {
      abort.abort();
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([ended, new Promise<void>((resolve) => void (timer = setTimeout(resolve, GRACE_MS)))]);
      clearTimeout(timer);
    },
  };
}
