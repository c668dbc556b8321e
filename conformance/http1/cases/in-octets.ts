import type { Case, Step } from "../vocabulary.ts";

/** Where a message is cut into segments means nothing: cases again whose messages arrive octet by octet, each with an id of its own. */

/** More octets would take too long one by one. */
const MOST = 400;

const cutUp = (step: Step): Step =>
  (step.do === "send" || step.do === "answer") && step.cut === undefined && step.text.length <= MOST ? { ...step, cut: 1 } : step;
/** Short messages, and nothing whose time matters. */
const isShort = ({ steps }: Case): boolean => steps.every((step) => step.do === "await" || cutUp(step) !== step);

export const inOctets = (...families: readonly (readonly Case[])[]): Case[] =>
  families
    .flat()
    .filter(isShort)
    .map((c) => ({
      ...c,
      id: `${c.id}-octet-by-octet`,
      title: c.title.replace(/\.$/, ", also octet by octet."),
      steps: c.steps.map(cutUp),
    }));
