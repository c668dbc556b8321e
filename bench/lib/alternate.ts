/** The measures of one subject in one round, by name: `{ "cpu": 4.1, "user": 2.2 }`. */
export type Measures = Readonly<Record<string, number>>;

/**
 * Runs each subject once per round, so that a slow phase of the machine affects all of them. The order reverses each round, so that no
 * subject always goes first. The first round is warm-up and is dropped. Returns the samples of each measure by subject.
 */
export async function alternate<Subject>(
  subjects: readonly Subject[],
  rounds: number,
  run: (subject: Subject) => Promise<Measures>,
  progress: (round: number, subject: Subject) => void = () => {},
): Promise<Map<Subject, Record<string, number[]>>> {
  const samples = new Map<Subject, Record<string, number[]>>(subjects.map((subject) => [subject, {}]));
  for (let round = 0; round <= rounds; round++) {
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
      progress(round, subject);
      const measures = await run(subject);
      if (round === 0) continue;
      const kept = samples.get(subject) ?? {};
      for (const [name, value] of Object.entries(measures)) (kept[name] ??= []).push(value);
    }
  }
  return samples;
}
