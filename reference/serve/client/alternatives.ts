import { parseAlternatives } from "../../http/index.ts";
import { inUrl, type Place } from "../../io/index.ts";
import { HTTP3 } from "../versions.ts";
import type { Origin } from "./connection.ts";

/** An origin, and its host. */
type Served = { readonly host: string; readonly origin: Pick<Origin, "authority"> };

/** How long a place that HTTP/3 did not reach is left alone. */
const AVOIDED_MS = 300_000;
/** So many origins and places are known: then the oldest is forgotten. */
const MOST = 1_000;

/** Where servers say that they speak HTTP/3 (rfc7838#2), and where it was not reached. */
export class Alternatives {
  readonly #isAnyHostTrusted: boolean;
  /** By origin. */
  readonly #known = new Map<string, { readonly place: Place; readonly until: number }>();
  /** By place, until when. */
  readonly #avoided = new Map<string, number>();

  /** Another host is believed only if its certificate has to be the origin's (rfc7838#2.1). */
  constructor(isAnyHostTrusted: boolean) {
    this.#isAnyHostTrusted = isAnyHostTrusted;
  }

  /** Takes note of the Alt-Svc of a response. */
  heard({ host, origin }: Served, value: string): void {
    const found = parseAlternatives(value);
    if (found === undefined) return;
    // What the origin says now replaces what it has said before (rfc7838#3.1).
    this.#known.delete(origin.authority);
    const isSame = (other: string): boolean => other === "" || other === inUrl(host);
    const best = found.find((one) => one.alpn === HTTP3.alpn && one.seconds > 0 && (isSame(one.host) || this.#isAnyHostTrusted));
    if (best === undefined) return;
    const place = { host: isSame(best.host) ? host : best.host.replace(/^\[(.*)\]$/, "$1"), port: best.port };
    remember(this.#known, origin.authority, { place, until: performance.now() + best.seconds * 1_000 });
  }
  /** Where an origin speaks HTTP/3, as far as is known. */
  of({ origin }: Served): Place | undefined {
    const known = this.#known.get(origin.authority);
    return known === undefined || known.until <= performance.now() || this.isAvoided(known.place) ? undefined : known.place;
  }

  avoid(place: Place): void {
    remember(this.#avoided, keyOf(place), performance.now() + AVOIDED_MS);
  }
  /** It was reached after all. */
  forgive(place: Place): void {
    this.#avoided.delete(keyOf(place));
  }
  isAvoided(place: Place): boolean {
    return (this.#avoided.get(keyOf(place)) ?? 0) > performance.now();
  }
}

const keyOf = ({ host, port }: Place): string => `${host}:${port}`;

function remember<Value>(all: Map<string, Value>, key: string, value: Value): void {
  all.delete(key);
  all.set(key, value);
  const [oldest] = all.keys();
  if (all.size > MOST && oldest !== undefined) all.delete(oldest);
}
