import type { Case } from "../harness/case.ts";

/** What a channel case can say: connections by name, what is sent on them, and what must be seen on them. */

/** A JSON message; in a pattern, the members that must be equal. `{run}` and `{session}` in a text stand for the names of this performance. */
export type Message = Readonly<Record<string, unknown>>;
/** Octets as text, `count` times over. */
export type Octets = { readonly text: string; readonly count?: number };
/** A party that the harness plays towards a hub. `bare`: a token, but none of the query. `stranger`: no token, `wrong`: an unknown one. */
export type As = "agent" | "client" | "watcher" | "stranger" | "wrong";

export type Step =
  /** Opens a connection to the hub. An agent sends its offer, and the step waits for the first state; `silent` leaves both out. */
  | {
      readonly do: "connect";
      readonly name: string;
      readonly as: As;
      readonly query?: string;
      readonly session?: string;
      readonly offer?: Message;
      readonly silent?: true;
      /** Answers no ping of the hub. */
      readonly deaf?: true;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Waits for a connection of the subject and accepts it, or refuses it with a status. */
  | {
      readonly do: "accept";
      readonly name: string;
      readonly status?: number;
      /** Answers no ping of the subject. */
      readonly deaf?: true;
    }
  | { readonly do: "say"; readonly name: string; readonly message: Message | string }
  | { readonly do: "octets"; readonly name: string; readonly octets: Octets; /** In one message. */ readonly whole?: true }
  /** Waits until this is seen; without it, the case is not what it seems. */
  | { readonly do: "until"; readonly sight: Sight }
  /** Ends a connection without a Close, or with one. */
  | { readonly do: "drop"; readonly name: string }
  | { readonly do: "close"; readonly name: string; readonly code: number }
  /** Lets messages on all connections be handled. */
  | { readonly do: "fence" }
  /** Ends early when this is seen. */
  | { readonly do: "wait"; readonly ms: number; readonly until?: Sight };

export type Sight =
  /** A text message like this has arrived, at least `times` (1), or exactly with `only`. */
  | { readonly see: "message"; readonly on: string; readonly like: Message; readonly times?: number; readonly only?: true }
  /** The last message of this type is like this. */
  | { readonly see: "last"; readonly on: string; readonly like: Message }
  /** The octets of the terminal on this connection, without a screen. */
  | { readonly see: "octets"; readonly on: string; readonly octets: Octets }
  /** The octets, without a screen, are those of this stream from the `from` of the first state to its end. */
  | { readonly see: "rest"; readonly on: string; readonly octets: Octets }
  | { readonly see: "holding"; readonly on: string; readonly text: string; readonly times?: number }
  /** So many octets in all. */
  | { readonly see: "count"; readonly on: string; readonly least: number; readonly most: number }
  /** No message of octets is longer. */
  | { readonly see: "no-longer"; readonly on: string; readonly most: number }
  /** The first message on the connection; `ping` and `pong` count only if one is wanted. */
  | { readonly see: "first"; readonly on: string; readonly like: Message }
  /** A screen precedes the octets, and contains the text. */
  | { readonly see: "screen"; readonly on: string; readonly text: string }
  /** The request of the subject: its query has these members; with `differs`, each has another value. */
  | { readonly see: "query"; readonly on: string; readonly members: Readonly<Record<string, string>>; readonly differs?: true }
  /** The request of the subject offers this subprotocol. */
  | { readonly see: "offers"; readonly on: string; readonly name: string }
  /** The request of the subject has one token. */
  | { readonly see: "one-token"; readonly on: string }
  /** Every text message of the subject has the members of its type, in their ranges. */
  | { readonly see: "well-formed"; readonly on: string }
  /** The subject has connected again, or has not. */
  | { readonly see: "again" | "alone"; readonly on: string }
  /** No offset above `offset` has been acknowledged. */
  | { readonly see: "acknowledged"; readonly on: string; readonly offset: number }
  /** The response has this field. */
  | { readonly see: "field"; readonly on: string; readonly name: string }
  /** The connection is open and answers a ping. */
  | { readonly see: "open"; readonly on: string }
  /** The subprotocol of the response, and nothing else in that field. */
  | { readonly see: "subprotocol"; readonly on: string; readonly name: string }
  /** No text message like this has arrived before the answer to a ping. */
  | { readonly see: "no-message"; readonly on: string; readonly like: Message }
  | { readonly see: "all"; readonly of: readonly Sight[] }
  // Refusals.
  /** The connection was closed with this code, after an error message with `error`. */
  | { readonly see: "closed"; readonly on: string; readonly code: number; readonly error?: string }
  /** The response was this status. */
  | { readonly see: "status"; readonly on: string; readonly status: number };

export const REFUSALS = ["closed", "status"] as const;
export type ChannelCase = Case<Step, Sight>;
