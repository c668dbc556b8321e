/** What the site is made from: published results, and the words that explain them. */
import type { Level } from "../../reference/core/index.ts";
import type { Result } from "../../conformance/harness/result.ts";

/** A published matrix: one suite and role. Each result has its coverage. */
export type SiteMatrix = {
  /** `http1-servers`: its files beside the site. */
  readonly name: string;
  readonly title: string;
  readonly results: readonly Result[];
};
export type Protocol = {
  /** Its address: `http1`. */
  readonly id: string;
  readonly name: string;
  /** One sentence for somebody who does not know it. */
  readonly about: string;
  readonly matrices: readonly SiteMatrix[];
};
export type SiteDocument = {
  readonly spec: string;
  readonly title: string;
  readonly requirements: readonly { readonly id: string; readonly level: Level; readonly text: string; readonly excused?: string }[];
};
/** A question that some cases answer for everybody in a matrix. */
export type Question = {
  readonly id: string;
  readonly ask: string;
  /** Why it matters, and how the cases find out. */
  readonly why: string;
  readonly matrices: readonly string[];
  /** Globs of requirements: every case that covers one is asked. */
  readonly requirements: readonly string[];
  /** Globs of ids: cases that are asked too, and cases that are not. */
  readonly also?: readonly string[];
  readonly without?: readonly string[];
  /** Breaking the rule is a yes; or only if this occurs in what was observed, and otherwise something less, in words. */
  readonly proof?: { readonly observed: string; readonly otherwise: string };
};
/** A finding that was confirmed by hand. Each text is paragraphs, lists and fenced blocks of Markdown. */
export type Finding = {
  /** Its address, and the name of its file. */
  readonly id: string;
  readonly title: string;
  /** The name of the peer. */
  readonly implementation: string;
  readonly version: string;
  readonly cases: readonly string[];
  readonly sections: readonly { readonly heading: string; readonly text: string }[];
};
export type SiteInput = {
  readonly protocols: readonly Protocol[];
  readonly peers: readonly { readonly name: string; readonly about: string; readonly install: string }[];
  readonly documents: readonly SiteDocument[];
  readonly questions: readonly Question[];
  readonly findings: readonly Finding[];
  /** What repeats a case: `node ci/reproduce.ts`. The matrix, the column and the case follow. */
  readonly reproduce: string;
};
