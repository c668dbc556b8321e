import { createHash } from "node:crypto";
import type { Role } from "../../harness/case.ts";
import type { Driver, Feature, Played, Twin } from "../../harness/driver.ts";
import type { ChannelCase, Step } from "../vocabulary.ts";
import { everythingSeen } from "./observed.ts";
import { Hindered, inWords, isNegative, namesIn, type Performance } from "./performance.ts";

/** What one role brings: a performance with its subject, and what the subject offers. */
export interface Party<R extends Role> {
  readonly role: R;
  begin(patience: number): Promise<{ readonly performance: Performance; end(): Promise<void> }>;
  probe(): Promise<{ features: ReadonlyMap<string, Feature> }>;
}

/** Performs the cases of the channel on a hub, an agent or a client. */
export class ChannelDriver<R extends Role> implements Driver<ChannelCase> {
  readonly role: R;
  readonly #party: Party<R>;

  constructor(party: Party<R>) {
    this.role = party.role;
    this.#party = party;
  }

  probe(): Promise<{ features: ReadonlyMap<string, Feature> }> {
    return this.#party.probe();
  }

  async play(c: ChannelCase, patience = 1): Promise<Played> {
    return this.#with(patience, async (performance): Promise<Played> => {
      const { transcript } = performance;
      const hindered = await run(performance, c.steps);
      const sights = c.allowed.map(({ see }) => see);
      if (hindered === undefined) {
        const names = [...new Set(sights.flatMap(namesIn))];
        await performance.until(() => sights.some((sight) => performance.isSeen(sight)));
        // Twice: what one connection causes on another is there after the second.
        if (sights.some(isNegative)) for (let i = 0; i < 2; i++) await performance.fence(names);
        const index = sights.findIndex((sight) => performance.isSeen(sight));
        if (index >= 0) return { is: "allowed", index, reason: "", observed: await everythingSeen(performance), transcript };
      }
      const observed = hindered ?? seen(performance);
      return {
        is: "other",
        reason: `It was not seen: ${inWords(sights[0]!)}.`,
        observed,
        timedOut: performance.waiting.timedOut,
        transcript,
      };
    });
  }

  async control(c: ChannelCase, patience = 1): Promise<Twin> {
    return this.#with(patience, async (performance): Promise<Twin> => {
      const { transcript } = performance;
      const hindered = await run(performance, c.control);
      if (hindered !== undefined) return { is: "refused", reason: hindered, transcript };
      const answered = (await performance.fence()) && (await performance.fence());
      const last = [...performance.parties.values()].findLast(({ isDropped }) => !isDropped);
      if (!answered || last === undefined || !last.line.isOpen)
        return { is: "refused", reason: `The exchange without the mistake was refused: ${seen(performance)}`, transcript };
      return { is: "accepted", reason: "", transcript };
    });
  }

  controlKey({ control }: ChannelCase): string {
    return createHash("sha256").update(JSON.stringify(control)).digest("hex");
  }
  expected({ allowed }: ChannelCase): string[] {
    return allowed.map(({ see, by }) => `${inWords(see)}${by === undefined ? "" : ` (${by})`}`);
  }
  async close(): Promise<void> {}

  async #with<T>(patience: number, act: (performance: Performance) => Promise<T>): Promise<T> {
    const { performance, end } = await this.#party.begin(patience);
    try {
      return await act(performance);
    } finally {
      performance.close();
      await end();
    }
  }
}

/** Why the steps could not be performed; undefined if they were. */
async function run(performance: Performance, steps: readonly Step[]): Promise<string | undefined> {
  try {
    await performance.run(steps);
    return undefined;
  } catch (error) {
    if (error instanceof Hindered) return error.message;
    throw error;
  }
}

/** The last thing that was seen on each connection. */
const seen = ({ parties }: Performance): string =>
  [...parties.values()]
    .map(({ name, status, code, messages, octets }) => {
      const last = messages.at(-1);
      return `${name}: ${status === 0 ? "" : `status ${status}, `}${octets.length} octets, ${last === undefined ? "no message" : JSON.stringify(last).slice(0, 160)}${code === undefined ? "" : `, ended with ${code}`}`;
    })
    .join("; ");
