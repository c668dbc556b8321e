import { createRequire } from "node:module";
import { Writer } from "../../reference/core/index.ts";
import { Decoder, Encoder } from "../../reference/hpack/index.ts";
import type { Stories } from "./stories.ts";

/** The result of one pass over all stories: the number of fields, and of octets in the output. */
export type Pass = { readonly fields: number; readonly octets: number };
/** A library; each pass uses a new context for each story, as for each connection. */
export type Library = { readonly name: string; encode(): Pass; decode(): Pass };

/** The blocks of each story. */
export type Blocks = readonly (readonly Uint8Array[])[];

/** The blocks of our encoder, which every decoder reads. */
export function blocksOf({ stories }: Stories): Blocks {
  return stories.map(({ lists }) => {
    const encoder = new Encoder();
    const writer = new Writer();
    return lists.map((list) => {
      encoder.encode(list, writer);
      return writer.take();
    });
  });
}

export function touchstone({ stories }: Stories, blocks: Blocks): Library {
  return {
    name: "touchstone",
    encode() {
      let fields = 0;
      let octets = 0;
      for (const { lists } of stories) {
        const encoder = new Encoder();
        const writer = new Writer();
        for (const list of lists) {
          encoder.encode(list, writer);
          fields += list.length;
          octets += writer.cut().length;
        }
      }
      return { fields, octets };
    },
    decode() {
      let fields = 0;
      let octets = 0;
      for (const story of blocks) {
        const decoder = new Decoder({ maxListSize: 1 << 20 });
        for (const block of story) {
          const decoded = decoder.decode(block);
          if (decoded.is !== "fields") throw new Error(`touchstone: ${decoded.is}`);
          fields += decoded.fields.length;
          for (const { name, value } of decoded.fields) octets += name.length + value.length;
        }
      }
      return { fields, octets };
    },
  };
}

const require = createRequire(import.meta.url);

type Hpack = new () => { encode(fields: (readonly [string, string])[]): Uint8Array; decode(block: Uint8Array): [string, string][] };

/** https://www.npmjs.com/package/hpack */
export function hpack({ stories }: Stories, blocks: Blocks): Library {
  const Context = require("hpack") as Hpack;
  const given = stories.map(({ lists }) => lists.map((list) => list.map(({ name, value }) => [name, value] as const)));
  const buffers = blocks.map((story) => story.map((block) => Buffer.from(block)));
  return {
    name: "hpack",
    encode() {
      let fields = 0;
      let octets = 0;
      for (const lists of given) {
        const context = new Context();
        for (const list of lists) {
          fields += list.length;
          octets += context.encode(list).length;
        }
      }
      return { fields, octets };
    },
    decode() {
      let fields = 0;
      let octets = 0;
      for (const story of buffers) {
        const context = new Context();
        for (const block of story) {
          const list = context.decode(block);
          fields += list.length;
          for (const [name, value] of list) octets += name.length + value.length;
        }
      }
      return { fields, octets };
    },
  };
}

type NameValue = { readonly name: string; readonly value: string };
type HpackJs = Record<"compressor", { create(options: object): { write(list: readonly NameValue[]): void; read(): Uint8Array | null } }> &
  Record<"decompressor", { create(options: object): { write(block: Uint8Array): void; execute(): void; read(): NameValue | null } }>;

/** https://www.npmjs.com/package/hpack.js */
export function hpackJs({ stories }: Stories, blocks: Blocks): Library {
  const { compressor, decompressor } = require("hpack.js") as HpackJs;
  const options = { table: { maxSize: 4_096 } };
  const given = stories.map(({ lists }) => lists.map((list) => list.map(({ name, value }) => ({ name, value }))));
  const buffers = blocks.map((story) => story.map((block) => Buffer.from(block)));
  return {
    name: "hpack.js",
    encode() {
      let fields = 0;
      let octets = 0;
      for (const lists of given) {
        const context = compressor.create(options);
        for (const list of lists) {
          fields += list.length;
          context.write(list);
          for (let part = context.read(); part !== null; part = context.read()) octets += part.length;
        }
      }
      return { fields, octets };
    },
    decode() {
      let fields = 0;
      let octets = 0;
      for (const story of buffers) {
        const context = decompressor.create(options);
        for (const block of story) {
          context.write(block);
          context.execute();
          for (let one = context.read(); one !== null; one = context.read()) {
            fields++;
            octets += one.name.length + one.value.length;
          }
        }
      }
      return { fields, octets };
    },
  };
}
