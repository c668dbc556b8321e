import { DamagedFile } from "../damaged.ts";
import type { Finding } from "./input.ts";

const HEADINGS = ["What it does", "The rule", "Transcript", "Reproduce", "Report"];

/**
 * A file of `reports/published/findings/`: a title, a list with implementation, version and cases, and five sections. Throws `DamagedFile` if
 * something is missing.
 */
export function readFinding(id: string, text: string): Finding {
  const refuse = (why: string): never => {
    throw new DamagedFile(`reports/published/findings/${id}.md: ${why}.`);
  };
  const [head = "", ...parts] = text.split(/^## /m);
  const title = /^# (.+)$/m.exec(head)?.[1] ?? refuse("has no title");
  const fact = (name: string): string => new RegExp(`^- ${name}: (.+)$`, "m").exec(head)?.[1] ?? refuse(`has no line "- ${name}: …"`);
  const sections = parts.map((part) => {
    const end = part.indexOf("\n");
    return { heading: part.slice(0, end).trim(), text: part.slice(end).trim() };
  });
  if (sections.map(({ heading }) => heading).join() !== HEADINGS.join()) refuse(`needs the sections ${HEADINGS.join(", ")}, in this order`);
  const empty = sections.find((section) => section.text === "");
  if (empty !== undefined) refuse(`"${empty.heading}" is empty`);
  const cases = [...fact("cases").matchAll(/`([^`]+)`/g)].map(([, one = ""]) => one);
  return { id, title, implementation: fact("implementation"), version: fact("version"), cases, sections };
}
