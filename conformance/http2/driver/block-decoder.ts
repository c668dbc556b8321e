// @ts-nocheck temporary
import { createRequire } from "node:module";
const hpack = createRequire(import.meta.url)("hpack.js");
export function blockDecoder(): import("./sections.ts").BlockDecoder {
  const d = hpack.decompressor.create({ table: { size: 1 << 20, maxSize: 1<<20 } });
  return {
    limit() {},
    decode(block) {
      try {
        d.write(Buffer.from(block)); d.execute();
        const fields = []; let one;
        while ((one = d.read())) fields.push([one.name, one.value]);
        return { fields };
      } catch (e) { return { problem: String(e.message) }; }
    },
  };
}
