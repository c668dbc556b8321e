import { WrongUse } from "./driver.ts";
import type { SubjectProcess } from "./subject-process.ts";

/** What drivers of clients ask of the command that starts one, and say when it is of no use. A client can be a function too. */

type Client = string | ((...asked: never) => unknown);

/** The word that stands for the address is in a command. */
export function requireUrl(client: Client, example: string): void {
  if (typeof client === "string" && !client.includes("{url}"))
    throw new WrongUse(`The client command "${client}" has no {url}: write where the address goes, as in '${example}'.`);
}

/** Why a client has not connected within so many milliseconds, and what to look at. */
export function neverConnected(
  client: Client,
  { ending, complaint }: Pick<SubjectProcess, "ending" | "complaint">,
  within: number,
): string {
  const command = typeof client === "string" ? client : "the function given";
  const said = complaint === "" ? "" : ` It said: ${complaint}`;
  if (ending?.problem !== undefined) return `The client command cannot be started: ${ending.problem}. Check "${command}".`;
  if (ending === undefined) return `The client command did not connect within ${within / 1000} s: does it use {url}? (${command})${said}`;
  const how = ending.code === null ? `signal ${ending.signal}` : `status ${ending.code}`;
  return `The client command ended with ${how} before it connected: check "${command}".${said}`;
}
