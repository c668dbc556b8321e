/** One measure of one subject in one round, by name: `{ "cpu": 4.1, "user": 2.2 }`. */
export type Measures = Readonly<Record<string, number>>;

/**
 * Runs every subject once a round, in turn, so that a slow phase of the machine hits all of them; the order turns around each round, so
 * that none always goes first. The first round warms up and is not kept. Returns, for each subject, the samples of each measure.
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
