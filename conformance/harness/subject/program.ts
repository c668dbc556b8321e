import { WrongUse } from "../driver.ts";
import { SubjectProcess, words } from "./subject-process.ts";
import type { InProcessClient } from "./subject.ts";

/** A running subject that reads a configuration: a command, or a function. */
export type Program = {
  readonly ended: Promise<unknown>;
  readonly complaint: () => string;
  stop(): Promise<void>;
};

/** What a command's placeholders stand for. */
export type ProgramPlaces = {
  readonly config: string;
  readonly dir: string;
  readonly port: string;
  /** Further flags, where the command has a place for them. */
  readonly flags?: readonly string[];
};
/** How long a function may take to end. */
const GRACE_MS = 10_000;

/** The command of a metrics server. */
const EXAMPLE = "prometheus --config.file={config} --storage.tsdb.path={dir} --web.listen-address=127.0.0.1:{port}";

/** The placeholders of a metrics server's command. Its port is not needed where `api` is an address of its own. */
export const placesBeside = (api: string | undefined): readonly string[] => [
  "{config}",
  ...(api === undefined || api.includes("{port}") ? ["{port}"] : []),
];

/** Throws `WrongUse` for a command without its placeholders. */
export function requirePlaces(command: string | InProcessClient, places: readonly string[], example = EXAMPLE): void {
  if (typeof command !== "string") return;
  const missing = places.filter((one) => !command.includes(one));
  if (missing.length > 0) throw new WrongUse(`The command "${command}" has no ${missing.join(" and no ")}, as in '${example}'.`);
}

/** Starts a subject with a configuration, a directory and a port. */
export function startProgram(subject: string | InProcessClient, places: ProgramPlaces): Program {
  if (typeof subject === "string") {
    const fill = (word: string): string => word.replaceAll(/\{(config|dir|port)\}/g, (_, name: "config" | "dir" | "port") => places[name]);
    const all = words(subject).flatMap((word) => (word === "{flags}" ? (places.flags ?? []) : [fill(word)]));
    const program = new SubjectProcess(all, "ignore");
    return { ended: program.ended, complaint: () => program.ending?.problem ?? program.complaint, stop: () => program.kill() };
  }
  const abort = new AbortController();
  let complaint = "";
  const { config, dir: directory, port, flags } = places;
  const url = `http://127.0.0.1:${port}/`;
  const ended = subject(url, abort.signal, {
    url,
    method: "GET",
    program: { config, directory, port: Number(port), ...(flags && { flags }) },
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
