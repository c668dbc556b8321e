import type { Case as AnyCase, Outcome as AnyOutcome } from "../harness/case.ts";
import type { FrameSpec, PacketSpec } from "../wire/quic/frame-spec.ts";
import type { CodeName, FrameName } from "../wire/quic/names.ts";
import type { AcceptSpec, RetrySpec } from "../wire/quic/host.ts";
import type { ConnectSpec } from "../wire/quic/udp.ts";

/**
 * What a QUIC case can send and observe. Cases are plain data; `driver/` performs them.
 * To read a case: `steps` is what the harness does, `control` the same without the mistake, `allowed` the sights that pass.
 */

export type { FrameSpec, PacketSpec } from "../wire/quic/frame-spec.ts";
export type { CodeName, FrameName, ParameterName } from "../wire/quic/names.ts";
export type { ParameterSpec } from "../wire/quic/parameters.ts";
export type { AcceptSpec, RetrySpec } from "../wire/quic/host.ts";
export type { ConnectSpec } from "../wire/quic/udp.ts";

export type Level = PacketSpec["level"];

/** What the harness does to the subject, in order. Packets of the handshake and acknowledgments go by themselves. */
export type Step = ServerStep | ClientStep | SharedStep;

/** Steps of cases for servers. */
export type ServerStep =
  /**
   * Sends the first flight, and waits until the handshake is complete or has failed. With `hold` it waits for the keys of Handshake packets only,
   * and sends no such packet (`initial`), or none that completes the handshake (`handshake`). `impatient`: waits for nothing.
   * `resume` takes the session that another connection was given before; `early` follows the ClientHello in 0-RTT packets, one each.
   * `recorded`: the ClientHello of the last connection again, and its session with it, as if somebody had recorded them.
   */
  | ({
      readonly do: "connect";
      readonly impatient?: true;
      readonly early?: readonly (readonly FrameSpec[])[];
      readonly recorded?: true;
    } & ConnectSpec)
  /** Ends the connection, of which nothing is observed any more; `connect` then makes another. */
  | { readonly do: "leave" }
  /** Goes on with the handshake, and waits as `connect` does. */
  | { readonly do: "release" }
  /** A long packet of another version, with so many octets after its connection IDs, which are those of this connection. */
  | { readonly do: "version"; readonly version: number; readonly octets: number }
  /** A GET on the stream; or in two parts, of which the last comes first, or both come twice. */
  | { readonly do: "request"; readonly stream: number; readonly order?: "reversed" | "twice" }
  /** Octets up to its limit on as many bidirectional streams as its limit of the connection needs, and `beyond` octets more. */
  | { readonly do: "fill connection"; readonly beyond: number }
  /** Opens further connections that send a first flight and nothing more; `recorded`: the first flight of the connection before, with these frames in a 0-RTT packet. */
  | { readonly do: "half-open"; readonly times: number; readonly with?: ConnectSpec; readonly recorded?: readonly FrameSpec[] }
  /** Goes on from another port. */
  | { readonly do: "rebind" };

/** Steps of cases for clients. The subject has sent its first Initial packet before the first of them. */
export type ClientStep =
  /** Answers the first packet that waits with Version Negotiation. */
  | { readonly do: "negotiate"; readonly versions: readonly number[] }
  /** Answers the first packet that waits with a Retry packet. By default it then waits for the next Initial packet; `ignored`: goes on with the same. */
  | ({ readonly do: "retry"; readonly ignored?: true } & RetrySpec)
  /**
   * Answers the first packet that waits, and goes on until the subject has sent data on stream 0: its request. `until`: until the handshake is
   * complete, or not at all. With `hold` no Handshake packet is sent by itself, but its keys are there.
   */
  | ({ readonly do: "accept"; readonly until?: "handshake" | "nothing" } & AcceptSpec & {
        readonly certificate?: "expired" | "stranger" | "other name";
      })
  /** Frames in a packet of this connection that comes from another port of ours. */
  | ({ readonly do: "send from elsewhere"; readonly frames: readonly FrameSpec[] } & PacketSpec)
  /** A datagram that ends with the stateless reset token of the handshake, or with another. */
  | { readonly do: "stateless reset"; readonly token: "right" | "wrong" };

/** Steps of both. */
export type SharedStep =
  /** Frames in a packet of its own, in a datagram of its own. */
  | ({ readonly do: "send"; readonly frames: readonly FrameSpec[] } & PacketSpec)
  /** Packets in one datagram. */
  | {
      readonly do: "coalesce";
      readonly packets: readonly (PacketSpec & { readonly frames: readonly FrameSpec[] })[];
      readonly trailing?: string;
    }
  /** The same packet many times; values with `from` count up. The subject is asked for an acknowledgment every now and then. */
  | ({ readonly do: "repeat"; readonly times: number; readonly frames: readonly FrameSpec[] } & PacketSpec)
  /** A datagram as it is, in hex. `{id}` is the connection ID of the subject. */
  | { readonly do: "datagram"; readonly octets: string; readonly note: string; readonly times?: number }
  /** Sends to the connection ID that the subject has issued with this sequence number. */
  | { readonly do: "use id"; readonly sequence: number }
  /** Connection IDs in as many NEW_CONNECTION_ID frames as the subject's active_connection_id_limit permits, and `beyond` more. */
  | { readonly do: "issue ids"; readonly beyond: number }
  /** No packet is acknowledged from now on; no PATH_CHALLENGE is answered. */
  | { readonly do: "stop"; readonly what: "acknowledgments" | "path responses" }
  /** Forgets what was seen so far. */
  | { readonly do: "mark" }
  | { readonly do: "await"; readonly see: Sight }
  /** What the subject may refuse: without it, and while the connection lasts, the case is not tested. */
  | { readonly do: "need"; readonly see: Sight }
  /** Waits for the acknowledgment of a PING. */
  | { readonly do: "fence" }
  | { readonly do: "wait"; readonly ms: number; readonly until?: Sight };

/** "any error": every code but NO_ERROR. */
export type CodeSight = CodeName | readonly CodeName[] | "any error";

/** What may be observed of the subject. */
export type Sight =
  /** The connection was closed with a code of the transport. */
  | { readonly see: "close"; readonly code: CodeSight }
  /** It was closed with a code of the application. */
  | { readonly see: "application close" }
  /** A stateless reset ended it. */
  | { readonly see: "stateless reset" }
  /** A frame; `where` compares members. */
  | { readonly see: "frame"; readonly type: FrameName; readonly where?: Readonly<Record<string, number | string>>; readonly level?: Level }
  /** At most or at least so many such frames, once the fence is answered. */
  | { readonly see: "frames"; readonly type: FrameName; readonly atLeast?: number; readonly atMost?: number }
  | { readonly see: "retry" }
  /** A Version Negotiation packet that lists this version. */
  | { readonly see: "version negotiation"; readonly version?: number }
  | { readonly see: "established" }
  /** The handshake was completed with the session of an earlier connection. */
  | { readonly see: "resumed" }
  /** It was completed without one. */
  | { readonly see: "full handshake" }
  /** It takes the 0-RTT data that we asked to send, or refuses it. */
  | { readonly see: "early data"; readonly accepted: boolean }
  /** It began a new key phase. */
  | { readonly see: "key update" }
  /** No datagram came since the last `mark`, although the subject had time for it. */
  | { readonly see: "silence" }
  /** The last packet that a step sent was acknowledged; or was not, although the connection goes on. */
  | { readonly see: "acknowledged" | "discarded" }
  /** The fence was answered, and the connection was not closed. */
  | { readonly see: "accepted" }
  /** Client role: the command ended, with status 0 or with another. */
  | { readonly see: "exit"; readonly ok: boolean }
  /** Everything the subject sent has this property (`driver/monitors.ts`), and the fence was answered. */
  | { readonly see: "holds"; readonly monitor: string }
  | { readonly see: "all"; readonly of: readonly Sight[] };

/** Sights of a subject that refuses. */
export const REFUSALS = ["close", "application close", "stateless reset"] as const satisfies readonly Sight["see"][];

export type Outcome = AnyOutcome<Sight>;
/**
 * A QUIC case. After the last step the driver raises a fence: "ping" (the default) completes the handshake and waits for the acknowledgment of a PING;
 * "connection" completes the handshake of another connection, so that what came before it has been read; "none" waits until the time limit.
 * "nothing comes" sends PINGs for a while, for subjects that must not answer; clients only.
 */
export type Case = AnyCase<Step, Sight> & { readonly fence?: "ping" | "connection" | "none" | "nothing comes" };

/** What one case of a table states by itself; the helper that builds the case adds the rest. What the row states wins. */
export type Row<Required extends keyof Case = never> = Partial<Case> & Pick<Case, "id" | "title" | Required>;
