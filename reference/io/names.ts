import { lookup, Resolver } from "node:dns/promises";

type NamedAddress = { readonly address: string; readonly family: number };

/** The addresses of a name, in the order of the system's preference, or as these servers of names answer. Rejects if there is none. */
export async function addressesOf(name: string, servers?: readonly string[]): Promise<readonly NamedAddress[]> {
  if (servers === undefined) return lookup(name, { all: true, order: "verbatim" });
  const resolver = resolverOf(servers);
  const answers = await Promise.allSettled([resolver.resolve6(name), resolver.resolve4(name)]);
  const [six, four] = answers.map((one) => (one.status === "fulfilled" ? one.value : [])) as [string[], string[]];
  const found = [...six.map((address) => ({ address, family: 6 })), ...four.map((address) => ({ address, family: 4 }))];
  const failure = answers.find((one) => one.status === "rejected");
  if (found.length === 0 && failure !== undefined) throw failure.reason as Error;
  return found;
}

/** For one server of names, before it is asked again, or the next one is. */
const SERVER_MS = 2_000;
const TRIES = 2;
const ABSENT: ReadonlySet<string | undefined> = new Set(["ENOTFOUND", "ENODATA"]);

function resolverOf(servers: readonly string[] | undefined): Resolver {
  const resolver = new Resolver({ timeout: SERVER_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  return resolver;
}
/** The TXT records of a name, each with its strings joined; none if it has none. Rejects if no server answers. */
export async function textsOf(name: string, servers?: readonly string[]): Promise<readonly string[]> {
  const resolver = resolverOf(servers);
  try {
    return (await resolver.resolveTxt(name)).map((strings) => strings.join(""));
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code)) return [];
    throw error;
  }
}
