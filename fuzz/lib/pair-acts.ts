import fc from "fast-check";

type Side = "client" | "server";
/** Two ends joined by octets. */
type Joined<End extends { read(): void }> = { readonly [S in Side]: End } & { carry(from: End, to: End, octets: number): void };
type Weighted<Act> = { readonly weight: number; readonly arbitrary: fc.Arbitrary<Act> };

/** What a property test of two ends does besides sending: delivers up to `most` octets either way, and reads at one end. */
export const deliveries = <End extends { read(): void }>(most: number): Weighted<(pair: Joined<End>) => void>[] => [
  { weight: 6, arbitrary: fc.nat(most).map((octets) => (pair: Joined<End>) => pair.carry(pair.client, pair.server, octets)) },
  { weight: 6, arbitrary: fc.nat(most).map((octets) => (pair: Joined<End>) => pair.carry(pair.server, pair.client, octets)) },
  { weight: 2, arbitrary: fc.constantFrom<Side>("client", "server").map((side) => (pair: Joined<End>) => pair[side].read()) },
];
