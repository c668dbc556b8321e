import type { FieldOf, Part } from "../../wire/rpc/parts.ts";

/** A connection, or the socket that listens. */
export type Shown = {
  readonly id: number;
  readonly local: Place;
  readonly remote?: Place;
  started: number;
  succeeded: number;
  failed: number;
  /** Calls that ended with another status than OK. */
  bad: number;
  sent: number;
  received: number;
  readonly secured?: Secured | undefined;
  /** What the client has granted, and what it has been granted. */
  readonly windows: () => readonly [local: number, remote: number];
};
/** A connection over TLS: its cipher suite, and the certificates in DER. */
export type Secured = { readonly cipher: string; readonly local?: Uint8Array | undefined; readonly remote?: Uint8Array | undefined };
export type Place = { readonly address: string; readonly port: number };
export type Counts = { readonly started: number; readonly succeeded: number; readonly failed: number };
export type Page = { readonly ids: readonly number[]; readonly start: number; readonly most: number };

/** What an impostor does wrong in the standard services. Without a member it does that right. */
export type StandardFlaw = {
  /** The health that it says of a name, given the right one: 3 for a name that it does not know. */
  readonly health?: (status: number) => number;
  readonly watch?: "ends" | "repeats" | "waits";
  /** Says the health of no name. */
  readonly listsNothing?: true;
  /** The answer of reflection, given the right one, the question, and which it is of its stream. */
  readonly reflects?: (answer: readonly FieldOf<Part>[], nth: number) => readonly FieldOf<Part>[];
  /** Ends a stream of questions at the first error. */
  readonly endsAtError?: true;
  /** Answers a stream of no questions. */
  readonly unasked?: true;
  readonly page?: (page: Page) => { readonly ids: readonly number[]; readonly end: boolean };
  readonly serverId?: (id: number) => number;
  readonly socketId?: (id: number) => number;
  readonly findsAnything?: true;
  readonly keepsSockets?: true;
  readonly noSockets?: true;
  readonly noListener?: true;
  readonly listsListener?: true;
  readonly otherSocketId?: true;
  readonly noTimes?: true;
  /** Shows a time of a stream that it has begun itself. */
  readonly localStreams?: true;
  readonly claimsTls?: true;
  /** What it shows of TLS, given what is right; undefined for nothing. */
  readonly secured?: (shown: Secured) => Secured | undefined;
  readonly counted?: (counts: Counts) => Counts;
  readonly shown?: (shown: Shown) => Shown;
  readonly windows?: (windows: readonly [number, number]) => readonly [number, number];
};
