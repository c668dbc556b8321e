import type { Level } from "../../reference/core/index.ts";
import type { Role } from "./case.ts";

/** Whom a requirement binds, in the words of the specifications. */
export type Subject =
  | "server"
  | "client"
  | "proxy"
  | "intermediary"
  | "cache"
  | "sender"
  | "receiver"
  | "endpoint"
  | "implementation"
  | "encoder"
  | "decoder"
  | "reader"
  | "exposer"
  | "deployment"
  | "extension";

/**
 * What the level of a requirement rests on. Without one: on a sentence that has the keyword and binds the subject.
 *
 * - `definition`: the text defines a format or an algorithm without a keyword, so a subject has to understand it; to refuse anything else is not owed.
 * - `conditional`: the keyword binds only a subject that has noticed something, or that has a limit.
 * - `inferred`: nothing in the text binds this subject; the rule follows from one for the other side. A SHOULD at most.
 */
export type Basis = "definition" | "conditional" | "inferred";

/** The part of a requirement that decides what a case may claim. */
export type Duty = { readonly level: Level; readonly subject: Subject; readonly basis?: Basis };

const EVERYONE: readonly Subject[] = ["endpoint", "implementation", "deployment"];
const READS: readonly Subject[] = ["receiver", "decoder", "reader"];
const WRITES: readonly Subject[] = ["sender", "encoder", "exposer"];
/** The subjects that a role is. A proxy is a server on one side and a client on the other, a codec is whatever its vector is about. */
const IS: Readonly<Record<Role, readonly Subject[]>> = {
  server: ["server", ...EVERYONE],
  client: ["client", ...EVERYONE],
  proxy: ["proxy", "intermediary", "server", "client", ...EVERYONE],
  codec: ["server", "client", "intermediary", ...EVERYONE],
};

const isMust = (level: Level): boolean => level.startsWith("MUST");
const isMay = (level: Level): boolean => level === "MAY";

/** What is wrong with the level of a case, given the requirements that it covers and whether its strict outcome is a refusal. */
export function levelFaults({ level, role }: { level: Level; role: Role }, covers: readonly Duty[], refuses: boolean): string[] {
  if (isMay(level)) return [];
  if (!isMust(level)) return covers.every((one) => isMay(one.level)) && refuses ? [`it is a ${level}, but covers only MAY`] : [];
  if (covers.some((one) => demands(one, role, refuses))) return [];
  return [
    refuses
      ? `it is a ${level}, but no MUST that it covers makes a ${role} refuse this`
      : `it is a ${level}, but covers no MUST for a ${role}`,
  ];
}

/** The level of a case made from these requirements: that of the first, or SHOULD where it does not make a subject refuse what the case expects it to. */
export function owedLevel(covers: readonly Duty[], role: Role, refuses: boolean): Level {
  const level = covers[0]?.level ?? "MUST";
  return isMust(level) && !covers.some((one) => demands(one, role, refuses)) ? "SHOULD" : level;
}

/** Whether a requirement makes a MUST of what a case expects. What the text lets the other side send, a subject has to accept. */
function demands({ level, subject, basis }: Duty, role: Role, refuses: boolean): boolean {
  if (basis === "inferred") return false;
  if (refuses) return isMust(level) && basis === undefined && [...IS[role], ...READS].includes(subject);
  return ![...IS[role], ...READS, ...WRITES].includes(subject) || isMust(level) || (WRITES.includes(subject) && isMay(level));
}
