import { lookup, Resolver } from "node:dns/promises";

/** The addresses of a name, in the order of the system's preference. Rejects if there is none. */
export const addressesOf = async (name: string): Promise<readonly { readonly address: string; readonly family: number }[]> =>
  lookup(name, { all: true, order: "verbatim" });

/** For one server of names, before it is asked again, or the next one is. */
const SERVER_MS = 2_000;
const TRIES = 2;
const ABSENT: ReadonlySet<string | undefined> = new Set(["ENOTFOUND", "ENODATA"]);

/** The TXT records of a name, each with its strings joined; none if it has none. Rejects if no server answers. */
export async function textsOf(name: string, servers?: readonly string[]): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: SERVER_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  try {
    return (await resolver.resolveTxt(name)).map((strings) => strings.join(""));
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code)) return [];
    throw error;
  }
}
