import type { StreamId } from "../stream/id.ts";

/** A frame of an unknown type, or of a known extension without meaning here: ignored (rfc9113#4.1, #5.5). */
export type Unknown = { readonly is: "unknown"; readonly type: number; readonly stream: StreamId };
