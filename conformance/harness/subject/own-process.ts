import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { WrongUse } from "../driver.ts";
import type { Place } from "./reach.ts";
import { SubjectProcess, words } from "./subject-process.ts";

/** How long a subject may take to end by itself, in milliseconds. */
const GRACE_MS = 3_000;
/** How long to look for something that listens already. */
const LOOK_MS = 500;

/** A server that was started for the run. */
export type OwnProcess = {
  /** Why it will not answer any more; undefined while it runs. */
  readonly over: () => string | undefined;
  /** Ends it and its children: asks first, and kills what is left. */
  stop(): Promise<void>;
};

/** Starts a server by its command. Throws `WrongUse` if something listens at its address already: that would be judged in its place. */
export async function startOwn(command: string, at: Place): Promise<OwnProcess> {
  if (await listens(at))
    throw new WrongUse(
      `Something listens on ${"socket" in at ? at.socket : `${at.host}:${at.port}`} already: stop it, or leave out --start.`,
    );
  const own = new SubjectProcess(words(command), "ignore");
  return {
    over: () => {
      const { ending, complaint } = own;
      if (ending === undefined) return undefined;
      if (ending.problem !== undefined) return `The command of --start cannot be started: ${ending.problem}.`;
      const how = ending.code === null ? `signal ${ending.signal}` : `status ${ending.code}`;
      return `The command of --start ended with ${how}${complaint === "" ? "" : `: ${complaint}`}.`;
    },
    stop: async () => {
      own.signal("SIGTERM");
      const grace = new AbortController();
      // The pause is over early if the process is.
      await Promise.race([own.ended, pause(GRACE_MS, undefined, { signal: grace.signal }).catch(() => undefined)]);
      grace.abort();
      await own.kill();
    },
  };
}

function listens(at: Place): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect("socket" in at ? { path: at.socket } : at);
    const done = (found: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(found);
    };
    const timer = setTimeout(() => done(false), LOOK_MS);
    socket.once("connect", () => done(true));
    socket.once("error", () => done(false));
  });
}
