import { type Party, type Started } from "../../harness/impostors/catch.ts";
import { loadCases } from "../cases/load.ts";
import { CodecDriver } from "../driver/codec.ts";
import type { Case } from "../vocabulary.ts";
import { CODEC_FLAWS } from "./codec.ts";

const codec = async (name: string): Promise<Started<Case>> => {
  const driver = new CodecDriver({ command: `'${process.execPath}' conformance/qpack/impostors/codec.ts ${name}`, timeout: 20_000 });
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
