import { writeHints } from "../../harness/impostors/hints.ts";
import type { Party, Started } from "../../harness/impostors/catch.ts";
import type { Case } from "../vocabulary.ts";
import { CodecDriver } from "../driver/codec.ts";
import { loadCases } from "../cases/load.ts";
import { CODEC_FLAWS } from "./codec.ts";

export const HINTS = new URL("hints.json", import.meta.url);

const codec = async (name: string): Promise<Started<Case>> => {
  const driver = new CodecDriver({ command: `'${process.execPath}' conformance/hpack/impostors/codec.ts ${name}`, timeout: 2000 });
  return { driver, stop: () => driver.close() };
};

/** The cases for codecs, with the impostors that must fail them. */
export const codecs = async (): Promise<Party<Case>> => ({
  cases: await loadCases(),
  names: Object.keys(CODEC_FLAWS),
  start: codec,
  concurrency: 1,
  abreast: 4,
});

if (import.meta.main) await writeHints(HINTS, [await codecs()]);
