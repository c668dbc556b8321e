import { groupKey, type RuleGroup } from "../../metrics/rules/index.ts";
import { RuleLoop, type RuleLoopOptions } from "./rule-loop.ts";

/** Evaluates all groups of a configuration. */
export class RuleRunner {
  readonly #options: RuleLoopOptions;
  #loops = new Map<string, RuleLoop>();
  /** The first configuration of a process restores alerts of the process before. */
  #isFirst = true;
  /** Timers that end the series of groups that are gone. */
  readonly #endings = new Set<NodeJS.Timeout>();

  constructor(options: RuleLoopOptions) {
    this.#options = options;
  }

  /** Takes the groups of another configuration. Groups that are unchanged go on undisturbed, and rules that stay keep their state. */
  async apply(groups: readonly RuleGroup[]): Promise<void> {
    const before = this.#loops;
    const loops = new Map<string, RuleLoop>();
    for (const group of groups) {
      const key = groupKey(group);
      const known = before.get(key);
      if (known !== undefined && isSame(known.run.group, group)) {
        loops.set(key, known);
        continue;
      }
      await known?.stop();
      loops.set(key, new RuleLoop(group, this.#options, { before: known, isRestored: !this.#isFirst }));
    }
    this.#isFirst = false;
    this.#loops = loops;
    for (const [key, loop] of before) if (!loops.has(key)) await this.#end(loop);
  }

  /** Groups by file and name. */
  get groups(): readonly RuleLoop[] {
    return [...this.#loops.values()].sort((a, b) => order(a.run.group, b.run.group));
  }

  /** Ends all evaluations. The series do not end: the server may be back soon. */
  async close(): Promise<void> {
    for (const timer of this.#endings) clearTimeout(timer);
    await Promise.all([...this.#loops.values()].map((loop) => loop.stop()));
    this.#loops.clear();
  }

  /** A group is gone: its series end, unless another group goes on with them within two intervals. */
  async #end(loop: RuleLoop): Promise<void> {
    const { storage, now, onNotice } = this.#options;
    await loop.stop();
    const at = now();
    const timer = setTimeout(
      () => {
        this.#endings.delete(timer);
        try {
          loop.run.end(storage, at);
        } catch (error) {
          onNotice(
            `rule group ${loop.run.group.name}: its series could not be ended: ${error instanceof Error ? error.message : String(error)}`,
          );
        }
      },
      Math.min(2 * loop.run.group.intervalMs, 2 ** 31 - 1),
    ).unref();
    this.#endings.add(timer);
  }
}

const order = (a: RuleGroup, b: RuleGroup): number => (a.file === b.file ? (a.name < b.name ? -1 : 1) : a.file < b.file ? -1 : 1);

/** Compares what was written: expressions by their usual form, templates by their text. */
const isSame = (a: RuleGroup, b: RuleGroup): boolean => textOf(a) === textOf(b);
const textOf = (group: RuleGroup): string =>
  JSON.stringify(group, (name, value: unknown) => (name === "expr" || name === "template" ? undefined : value));
