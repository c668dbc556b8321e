import type { VNode } from "preact";
import { titlesOf, type State } from "../coverage.ts";
import { address, compareRefs, docName, grouped, sectionLink, sectionOf } from "../order.ts";
import { html } from "../page/html.ts";
import type { Held } from "./held.ts";
import type { SiteDocument, SiteInput } from "./input.ts";
import { allJudged, type Judged } from "./judged.ts";
import { documentPage, implementationPage, upFrom } from "./links.ts";
import { bare } from "./parts.ts";
import { Head, type Page } from "./shell.ts";

const WORDS: Readonly<Record<State, string>> = {
  fail: "broken by",
  warn: "kept with a warning by",
  pass: "kept by",
  unproved: "nothing proved for",
  skip: "not offered by",
};
/** In this order. */
const STATES: readonly State[] = ["fail", "warn", "pass", "unproved", "skip"];

/**
 * A page for each document, with a place for each requirement. Not a page for each requirement: 2,900 pages would be ten megabytes, and whoever
 * reads about one wants its neighbours.
 */
export function documentOf(input: SiteInput, held: Held, { spec, title, requirements }: SiteDocument): Page {
  const path = documentPage(spec);
  const up = upFrom(path);
  const titles = titlesOf(allJudged(input).map(({ result }) => result));
  const ordered = [...requirements].sort((a, b) => compareRefs(`${spec}#${a.id}`, `${spec}#${b.id}`));
  const sections = [...new Set(ordered.map(({ id }) => address(`${spec}#${id}`).section))];
  const judged = ordered.filter(({ id }) => held.has(`${spec}#${id}`)).length;
  const body = html`
    <${Head} brand="Specification" title=${docName(spec)}>
      <p class="lede">${title}</p>
      <p>
        ${requirements.length} requirements in our words, and who keeps them. ${judged} were judged in a published matrix; the others say
        why not, or wait for a case.
      </p>
    <//>
    <main id="main">
      ${[...grouped(ordered, ({ id }) => sectionOf(`${spec}#${id}`))].map(
        ([ref, within]) => html`
          <section class="of-section" id=${address(ref).section}>
            ${above(address(ref).section, sections).map((section) => html`<span id=${section} />`)}
            <h2><${Section} of=${ref} title=${titles[ref] ?? ""} /></h2>
            ${within.map((one) => html`<${Requirement} of=${one} spec=${spec} held=${held} up=${up} />`)}
          </section>
        `,
      )}
    </main>
  `;
  return { path, title: `${docName(spec)}: who keeps it · Touchstone`, body };
}

/** The sections above one that have no place of their own, and that come first here. */
function above(section: string, sections: readonly string[]): string[] {
  const parents = section.split(".").map((_, at, parts) => parts.slice(0, at).join("."));
  const within = (parent: string): string | undefined => sections.find((one) => one === parent || one.startsWith(`${parent}.`));
  return parents.filter((parent) => parent !== "" && within(parent) === section);
}

function Section({ of, title }: { readonly of: string; readonly title: string }): VNode {
  const link = sectionLink(of);
  const words = `§${of.split("#")[1]} ${title}`.trim();
  return link === undefined ? html`<span>${words}</span>` : html`<a href=${link} rel="noreferrer">${words}</a>`;
}

type RequirementProps = {
  readonly of: SiteDocument["requirements"][number];
  readonly spec: string;
  readonly held: Held;
  readonly up: string;
};

function Requirement({ of: { id, level, text, excused }, spec, held, up }: RequirementProps): VNode {
  const known = held.get(`${spec}#${id}`) ?? [];
  return html`
    <article class="requirement" id=${id}>
      <p><span class="level">${level}</span> ${text}</p>
      ${
        known.length === 0
          ? html`<p class="aside">
              ${excused === undefined ? "Nobody was judged by it in a published matrix." : `No case can show it: ${excused}`}
            </p>`
          : html`<dl class="who-keeps">
              ${[...grouped(known, ({ judged }) => judged.matrix.name)].map(
                ([, within]) =>
                  html`<div>
                    <dt>${bare(within[0]?.judged.matrix.title ?? "")}</dt>
                    <dd>${STATES.map((state) => html`<${Who} state=${state} known=${within} up=${up} />`)}</dd>
                  </div>`,
              )}
            </dl>`
      }
    </article>
  `;
}

type WhoProps = {
  readonly state: State;
  readonly known: readonly { readonly judged: Judged; readonly state: State }[];
  readonly up: string;
};

/** Who is in this state. Whoever breaks the requirement has a link. */
function Who({ state, known, up }: WhoProps): VNode | "" {
  const here = known.filter((one) => one.state === state);
  if (here.length === 0) return "";
  const names = here.map(({ judged }) => judged.result.subject.name);
  const listed = here.length === known.length && here.length > 2 && state !== "warn" ? `all ${here.length}` : names.join(", ");
  return html`<i class=${`is-${state}`}>${WORDS[state]}</i> ${
      state === "fail"
        ? here.map(
            ({ judged }, at) =>
              html`${at > 0 ? ", " : ""}<a href=${`${up}${implementationPage(judged.name)}#${judged.matrix.name}`}
                  >${judged.result.subject.name}</a
                >`,
          )
        : listed
    }. `;
}
