import { type Peer, type RunningPeer, startPeer } from "../../conformance/peers/index.ts";
import type { Say } from "./size.ts";
import type { BenchSubject } from "./subject.ts";

/** The default subjects of a benchmark, in processes of their own until `stop`. */
export type EmbeddedSubjects = { readonly subjects: BenchSubject[]; readonly stop: () => Promise<void> };

type How = {
  readonly protocol: string;
  readonly tls?: boolean;
  readonly say: Say;
  /** The peer that is left out if this machine does not have it. */
  readonly optional?: string;
  readonly pathsOf: (name: string) => BenchSubject["paths"];
};

/** Starts the peers in order. If one does not start, ends the others. */
export async function startSubjects(
  peers: readonly Peer[],
  { protocol, tls = false, say, optional, pathsOf }: How,
): Promise<EmbeddedSubjects> {
  const running: RunningPeer[] = [];
  const stop = async (): Promise<void> => void (await Promise.all(running.map((each) => each.stop())));
  for (const each of peers) {
    try {
      running.push(await startPeer(each, { protocol, tls }));
    } catch (error) {
      if (each.name !== optional) {
        await stop();
        throw error;
      }
      say(`${(error as Error).message} ${each.name} is left out.`);
    }
  }
  const subjects = running.map(({ name, version, url, pid }): BenchSubject => {
    // Node's own modules are named as in an import.
    const shown = name.replace(/^node-/, "node:");
    return { name: shown, version, origin: new URL(url).origin, pid, paths: pathsOf(name) };
  });
  return { subjects, stop };
}
