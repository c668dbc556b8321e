/** The sections that a source cites (`rfc9113#6.9.1`). */
const CITED = /\brfc\d+#\d+(?:\.\d+)*/g;

/** Whether a section is the same, or a part of the other. */
const isNear = (one: string, other: string): boolean => one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);

/** The same cases, but first those of sections that the mutated source cites: they catch its mistakes most often. */
export function nearFirst(ids: readonly string[], sections: Readonly<Record<string, string>>, source: string): string[] {
  const cited = [...new Set(source.match(CITED))];
  const near = new Set([...new Set(Object.values(sections))].filter((section) => cited.some((one) => isNear(one, section))));
  const isFirst = (id: string): boolean => near.has(sections[id] ?? "");
  return [...ids.filter((id) => isFirst(id)), ...ids.filter((id) => !isFirst(id))];
}
