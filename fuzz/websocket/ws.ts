import type { Writable } from "node:stream";
import * as ws from "ws";
import type { FramesVector } from "../../vectors/websocket/source/craft.ts";

/** The frame reader of npm `ws`, without a socket. */

/** The messages in the format of the vectors, then the error if any: its code, and the code of the Close that ws would send. */
export type Theirs = {
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly error?: string;
  readonly code?: number;
  /** A block had BFINAL set, and the reader discarded its inflater. */
  readonly hadFinal?: true;
  /** A Close interrupted a message, which the reader dropped. */
  readonly cutOff?: true;
};
type Parameters = Record<string, true | number>;
type Inflated = (error: Error | null, octets?: Buffer) => void;
type Compression = {
  params: Parameters;
  readonly _inflate: unknown;
  decompress(octets: Buffer, fin: boolean, done: Inflated): void;
  cleanup(): void;
};
/** Members that the package's types do not declare. */
type Inside = {
  readonly Receiver: new (options: Record<string, unknown>) => Writable & { readonly _fragmented: number };
  readonly PerMessageDeflate: {
    new (options: Record<string, unknown>): Compression;
    readonly extensionName: string;
  };
};
// `ws` exports its reader and its compression, but types only what most users need.
const { Receiver, PerMessageDeflate } = ws as unknown as Inside;
/** Our limit; the default of `ws` is 100 MiB. */
const MAX_MESSAGE = 16_777_216;

/** Writes all octets to a new reader at once, then ends it. */
export function readByWs({ to, wire, deflate }: Pick<FramesVector, "to" | "wire" | "deflate">): Promise<Theirs> {
  const extensions: Record<string, unknown> = {};
  let compression: Compression | undefined;
  let hadFinal = false;
  if (deflate !== undefined) {
    compression = new PerMessageDeflate({ isServer: to === "server", maxPayload: MAX_MESSAGE });
    compression.params = {
      client_max_window_bits: deflate.bits,
      server_max_window_bits: deflate.bits,
      ...(deflate.takeover ? {} : { client_no_context_takeover: true, server_no_context_takeover: true }),
    };
    const own = compression;
    const inflate = own.decompress.bind(own);
    own.decompress = (given, fin, done) =>
      inflate(given, fin, (error, inflated) => {
        if (error === null && own._inflate === null) hadFinal = true;
        done(error, inflated);
      });
    extensions[PerMessageDeflate.extensionName] = compression;
  }
  const reader = new Receiver({ isServer: to === "server", maxPayload: MAX_MESSAGE, extensions });
  const messages: Record<string, unknown>[] = [];
  reader.on("message", (data: Buffer, isBinary: boolean) =>
    messages.push(isBinary ? { binary: data.toString("hex") } : { text: data.toString() }),
  );
  for (const is of ["ping", "pong"]) reader.on(is, (data: Buffer) => messages.push({ [is]: data.toString("hex") }));
  return new Promise((resolve) => {
    const done = (more: Omit<Theirs, "messages">): void => {
      compression?.cleanup();
      resolve({ messages, ...more, ...(hadFinal ? { hadFinal: true } : {}) });
    };
    reader.on("conclude", (code: number, reason: Buffer) => {
      messages.push({ close: code === 1005 ? null : code, reason: reason.toString() });
      done(reader._fragmented === 0 ? {} : { cutOff: true });
    });
    reader.on("error", (error: Error & { readonly code?: string }) => {
      const status = Object.getOwnPropertySymbols(error).map((symbol): unknown => Reflect.get(error, symbol));
      done({ error: error.code ?? error.message, ...(typeof status[0] === "number" ? { code: status[0] } : {}) });
    });
    reader.on("finish", () => done({}));
    // The reader unmasks in place, so pass a copy.
    if (wire !== "") reader.write(Buffer.from(wire, "hex"));
    reader.end();
  });
}
