import { readVarint } from "../http3/varint.ts";
import type { Value } from "./frame-spec.ts";
import { type ParameterName, PARAMETERS } from "./names.ts";

/** The transport parameters of one end (rfc9000#18.2). */
export class Announced {
  /** By number. */
  readonly octets: ReadonlyMap<number, Uint8Array>;
  /** The lowest bit of the streams that its peer opens (rfc9000#2.1). */
  readonly #initiator: 0 | 1;

  constructor(octets: ReadonlyMap<number, Uint8Array>, peer: "client" | "server" = "client") {
    this.octets = octets;
    this.#initiator = peer === "client" ? 0 : 1;
  }

  /** An integer. */
  integer(name: ParameterName, otherwise = 0): number {
    const value = this.octets.get(PARAMETERS[name]);
    return value === undefined ? otherwise : (readVarint(value)?.value ?? otherwise);
  }
  has(name: ParameterName): boolean {
    return this.octets.has(PARAMETERS[name]);
  }
  get(name: ParameterName): Uint8Array | undefined {
    return this.octets.get(PARAMETERS[name]);
  }

  /** How many connection IDs it keeps. */
  get ids(): number {
    return this.integer("active_connection_id_limit", 2);
  }
  /** The credit that it gives on a stream, which it or its peer has opened. */
  creditOn(stream: number, by: "itself" | "its peer"): number {
    if (stream % 4 >= 2) return this.integer("initial_max_stream_data_uni");
    return this.integer(by === "itself" ? "initial_max_stream_data_bidi_local" : "initial_max_stream_data_bidi_remote");
  }

  /** The value that a case names by a limit of this end. */
  readonly value = (value: Value, as: "stream" | "number"): number => {
    if (typeof value === "number") return value;
    const { limit, plus } = value;
    const most = {
      "bidirectional streams": this.integer("initial_max_streams_bidi"),
      "unidirectional streams": this.integer("initial_max_streams_uni"),
      data: this.integer("initial_max_data"),
      "stream data": this.integer("initial_max_stream_data_bidi_remote"),
      "unidirectional data": this.integer("initial_max_stream_data_uni"),
      ids: this.ids,
    }[limit];
    const kind = limit === "unidirectional streams" ? 2 : 0;
    return as === "stream" ? (most + plus) * 4 + kind + this.#initiator : most + plus;
  };
}
