import { join } from "node:path";
import { loadFolder } from "../../harness/load.ts";
import { casesAt } from "./server/10.4-limits.ts";
import { expanded } from "./expand.ts";
import type { Scale } from "../scale.ts";
import type { Case } from "../vocabulary.ts";

const HERE = import.meta.dirname;

/** The cases for servers over HTTP/1.1, the larger ones at this scale, then the same over HTTP/2. */
export async function serverCases(scale: Scale = 1): Promise<Case[]> {
  const larger = new Map(casesAt(scale).map((c) => [c.id, c]));
  return expanded((await loadFolder<Case>(join(HERE, "server"))).map((c) => larger.get(c.id) ?? c));
}

/** The cases for clients over HTTP/1.1, then the same over HTTP/2. */
export const clientCases = async (): Promise<Case[]> => expanded(await loadFolder<Case>(join(HERE, "client")));

/** All cases: those for servers, the larger ones at this scale, then those for clients. */
export const loadCases = async (scale: Scale = 1): Promise<Case[]> => [...(await serverCases(scale)), ...(await clientCases())];
