import type { BenchGroup } from "../lib/result.ts";
import { SPREAD } from "../lib/rows.ts";
import type { Say } from "../lib/size.ts";
import { measure, type Contender } from "./measure.ts";
import { NATIVE_MISSING, startNative, type Native } from "./native.ts";
import { countFields, loadStories, type Stories } from "./stories.ts";
import { blocksOf, hpack, hpackJs, touchstone, type Library } from "./subjects.ts";

/** Touchstone, two npm packages, and nghttp2 in C if it can be built: speed in both directions, and encoded size. */
export async function hpackGroups(rounds: number, say: Say): Promise<BenchGroup[]> {
  const stories = loadStories();
  const blocks = blocksOf(stories);
  const libraries = [touchstone(stories, blocks), hpack(stories, blocks), hpackJs(stories, blocks)];
  const native = await startNative(stories, blocks);
  if (native === undefined) say(NATIVE_MISSING);
  try {
    const contenders: Contender[] = [...libraries, ...(native === undefined ? [] : [native])];
    const megabytes = (await sameWork(libraries, native)) / 1e6;
    const note = [
      `${stories.about}, ${countFields(stories).toLocaleString("en-US")} fields; a new context for each story; every decoder reads the blocks of our encoder`,
      `seconds of CPU time, including garbage collection and compilation; ${SPREAD}`,
      ...(native === undefined
        ? [NATIVE_MISSING]
        : ["nghttp2 does not copy decoded strings out of its buffers; the others create strings"]),
    ].join("; ");
    const groups = [
      ...(await measure({ contenders, what: "decode", rounds, megabytes, say })),
      ...(await measure({ contenders, what: "encode", rounds, megabytes, say })),
      await sizes(libraries, native, stories),
    ];
    return groups.map((group) => ({ ...group, note }));
  } finally {
    native?.stop();
  }
}

/** Checks that all decoders return the same fields. Returns the number of their octets. */
async function sameWork(libraries: readonly Library[], native: Native | undefined): Promise<number> {
  const passes = [
    ...libraries.map((library) => ({ name: library.name, ...library.decode() })),
    ...(native === undefined ? [] : [{ name: native.name, ...(await native.run("decode", 1)) }]),
  ];
  const [first, ...others] = passes;
  const other = others.find(({ fields, octets }) => fields !== first?.fields || octets !== first.octets);
  if (other !== undefined) throw new Error(`${other.name} and ${first?.name} decode different fields: their speed cannot be compared.`);
  return first?.octets ?? 0;
}

async function sizes(libraries: readonly Library[], native: Native | undefined, stories: Stories): Promise<BenchGroup> {
  const fields = countFields(stories);
  const all = [
    ...libraries.map(({ name, encode }) => ({ subject: name, octets: encode().octets })),
    ...(native === undefined ? [] : [{ subject: native.name, octets: (await native.run("encode", 1)).octets }]),
  ];
  return {
    id: "hpack/encoded-size",
    title: `HPACK, ${fields.toLocaleString("en-US")} fields encoded`,
    unit: "octets",
    better: "lower",
    rows: all.map(({ subject, octets }) => ({ subject, median: octets, spread: [octets, octets], samples: [octets] })),
  };
}
