import { COMMON } from "./common.ts";
import { DESCRIPTOR, PLUGIN } from "./descriptor.ts";
import { TYPES } from "./types.ts";

/** The contracts that every other one may import without having them, by path. */
export const WELL_KNOWN: Readonly<Record<string, string>> = {
  ...COMMON,
  ...TYPES,
  "google/protobuf/descriptor.proto": DESCRIPTOR,
  "google/protobuf/compiler/plugin.proto": PLUGIN,
};
