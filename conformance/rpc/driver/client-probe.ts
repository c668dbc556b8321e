import type { Conclusion, Probed } from "../../harness/connection/connection-driver.ts";
import { type Feature, Unreachable } from "../../harness/driver.ts";
import { itemsOf } from "../../harness/shapes.ts";
import type { ReportingClients } from "../../harness/subject/reporting.ts";

const SEE = "conformance/rpc/README.md describes what it reads and prints.";

/** Asks an adapter for its features, of which `known` says what each means, and for a good call. Throws `Unreachable` if it has neither. */
export async function probeClient(
  clients: ReportingClients,
  known: Readonly<Record<string, string>>,
  { dialect, heard }: { readonly dialect: string; readonly heard?: (greeting: Readonly<Record<string, unknown>>) => void },
  goodCall: () => Promise<Conclusion>,
): Promise<Probed> {
  const greeting = await clients.greet();
  if (greeting.is === "trouble") throw new Unreachable(`The client cannot be used: ${greeting.why}. ${SEE}`);
  const listed = greeting.members["features"];
  if (!Array.isArray(listed)) throw new Unreachable(`The client does not list its features when asked {"features":true}. ${SEE}`);
  heard?.(greeting.members);
  const { is, reason, observed } = await goodCall();
  if (is !== "allowed")
    throw new Unreachable(`The client did not make a good call in the dialect ${dialect}: ${reason} ${observed}. ${SEE}`);
  const has = itemsOf(listed).map(String);
  const features = Object.entries(known).map(([name, words]): [string, Feature] => [
    name,
    has.includes(name)
      ? { has: true, how: words }
      : { has: false, how: `its adapter does not list it; list it if ${words} (conformance/rpc/README.md)` },
  ]);
  return { features: new Map(features) };
}
