import { docName } from "../order.ts";
import { causesOf } from "./causes.ts";
import type { SiteInput } from "./input.ts";
import { allJudged, byImplementation, versionOf } from "./judged.ts";
import { documentPage, findingPage, implementationPage, protocolPage, questionPage, requirementPlace } from "./links.ts";

/** What a search finds: its kind, its words, its address. */
type Entry = readonly [kind: string, words: string, href: string];

/** Everything that a search finds, by rank. */
export function entriesOf(input: SiteInput): Entry[] {
  const judged = allJudged(input);
  return [
    ...input.protocols.map(({ id, name, about }): Entry => ["protocol", `${name}: ${about}`, protocolPage(id)]),
    ...byImplementation(judged).map(([name, columns]): Entry => [
      "implementation",
      `${name} ${versionOf(columns)}`,
      implementationPage(name),
    ]),
    ...input.questions.map(({ id, ask }): Entry => ["question", ask, questionPage(id)]),
    ...input.findings.map(({ id, title }): Entry => ["confirmed", title, findingPage(id)]),
    ...input.documents.map(({ spec, title }): Entry => ["specification", `${docName(spec)} ${title}`, documentPage(spec)]),
    ...judged.flatMap(({ name, matrix, result }) =>
      causesOf(result).map(([first]): Entry => [name, first.title, `${implementationPage(name)}#${matrix.name}/${first.id}`]),
    ),
    ...input.documents.flatMap(({ spec, requirements }) =>
      requirements.map(({ id, text }): Entry => [`${docName(spec)} §${id.split("/")[0]}`, text, requirementPlace(`${spec}#${id}`)]),
    ),
  ];
}

/** The index as a script, which a page loads when somebody begins to search. */
export const searchIndex = (input: SiteInput): string =>
  `globalThis.touchstoneIndex = ${JSON.stringify(entriesOf(input)).replaceAll("],[", "],\n[")};\n`;
