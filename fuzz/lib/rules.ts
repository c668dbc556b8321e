import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A requirement of `conformance/requirements/` as a finding names it: `rfc9113#6.7/length`, its level, and its text in our words. */
export type Rule = {
  readonly ref: `${string}#${string}`;
  /** `none` where no requirement is about it: only the section is known. */
  readonly level: "MUST" | "MUST NOT" | "SHOULD" | "SHOULD NOT" | "MAY" | "none";
  /** Whom the sentence binds: `receiver`, `server`, …. */
  readonly subject?: string;
  readonly text: string;
  /** It is a MUST that a sentence says. Anything else is suspect at most. */
  readonly binds: boolean;
};

type Entry = Required<Pick<Rule, "subject" | "text">> & {
  readonly id: string;
  readonly level: Exclude<Rule["level"], "none">;
  readonly basis?: string;
};

const FOLDER = join(import.meta.dirname, "..", "..", "conformance", "requirements");

/** The requirement at an address; of a section alone (`rfc9113#6.8`) only the address. Throws if there is no such requirement. */
export function ruleAt(ref: Rule["ref"]): Rule {
  const [spec = "", id = ""] = ref.split("#");
  if (!id.includes("/")) return { ref, level: "none", text: "No sentence says what the peer has to do.", binds: false };
  const { requirements } = JSON.parse(readFileSync(join(FOLDER, `${spec}.json`), "utf8")) as { requirements: readonly Entry[] };
  const entry = requirements.find((one) => one.id === id);
  if (entry === undefined) throw new Error(`There is no requirement ${ref}.`);
  return {
    ref,
    level: entry.level,
    subject: entry.subject,
    text: entry.text,
    binds: entry.level.startsWith("MUST") && entry.basis === undefined,
  };
}
