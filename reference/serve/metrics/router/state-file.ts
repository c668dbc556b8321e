import { Matcher, type MatchOperator } from "../../../metrics/model/index.ts";
import type { RouterRecord, Silence } from "../../../metrics/router/index.ts";
import { crc32c, type FileLock, type Files, type OpenFile, readFile, replaceFile } from "../../../metrics/tsdb/index.ts";

/**
 * The state of a router on disk: silences, and what was sent. `state.log` begins with eight octets that name the format; after them come records: the
 * length of the content and its CRC-32C (four octets each, big-endian), then the content, JSON. The last record about a thing counts. Once most of
 * the file is history, another one with only the present replaces it at once.
 */

const MAGIC = new TextEncoder().encode("TSROUTE1");
const HEAD = 8;
/** A log shorter than this is not rewritten. */
const LEAST_REWRITE = 1 << 20;
/** Nothing that a router stores is longer, so a longer length is damage. */
const MOST_RECORD = 1 << 24;

export class StateFile {
  readonly #files: Files;
  readonly #path: string;
  readonly #lock: FileLock;
  #file: OpenFile;
  #size: number;
  #isSynced = true;
  /** The size of the file when it was last rewritten. */
  #base: number;
  readonly records: readonly RouterRecord[];
  /** What was found to be damaged, and where it is kept. */
  readonly damage: string | undefined;

  /** Opens the state in a directory, which is created if missing. Throws `FileFault`, also if another process has it. */
  constructor(files: Files, directory: string) {
    this.#files = files;
    this.#path = `${directory}/state.log`;
    files.makeDirectory(directory);
    this.#lock = files.lock(`${directory}/lock`);
    try {
      const octets = files.exists(this.#path) ? readFile(files, this.#path) : MAGIC;
      const { records, end, isDamaged } = scan(octets);
      this.records = records;
      if (isDamaged) {
        files.remove(`${this.#path}.damaged`);
        files.link(this.#path, `${this.#path}.damaged`);
        this.damage = `${this.#path} is damaged at octet ${end}: what follows is lost; the file is kept as ${this.#path}.damaged`;
      }
      // What a dying process left unfinished is cut off too.
      if (end < octets.length || !files.exists(this.#path)) replaceFile(files, this.#path, end === 0 ? MAGIC : octets.subarray(0, end));
      this.#size = Math.max(end, MAGIC.length);
      this.#base = this.#size;
      this.#file = files.open(this.#path, "write");
    } catch (error) {
      this.#lock.release();
      throw error;
    }
  }

  /** Writes records: they survive the end of the process, and after `sync` a power loss. */
  append(records: readonly RouterRecord[]): void {
    if (records.length === 0) return;
    const octets = framed(records);
    // If this fails in the middle, the next one overwrites what was written.
    this.#file.write(octets, this.#size);
    this.#size += octets.length;
    this.#isSynced = false;
  }

  sync(): void {
    if (this.#isSynced) return;
    this.#file.sync();
    this.#isSynced = true;
  }

  /** Whether most of the file is history. */
  get isLong(): boolean {
    return this.#size > Math.max(LEAST_REWRITE, 4 * this.#base);
  }

  /** Replaces the file by one with only these records. */
  rewrite(records: readonly RouterRecord[]): void {
    const body = framed(records);
    const octets = new Uint8Array(MAGIC.length + body.length);
    octets.set(MAGIC);
    octets.set(body, MAGIC.length);
    replaceFile(this.#files, this.#path, octets);
    this.#file.close();
    this.#file = this.#files.open(this.#path, "write");
    this.#size = octets.length;
    this.#base = octets.length;
    this.#isSynced = true;
  }

  close(): void {
    this.sync();
    this.#file.close();
    this.#lock.release();
  }
}

const encoder = new TextEncoder();
function framed(records: readonly RouterRecord[]): Uint8Array {
  const parts = records.map((record) => encoder.encode(JSON.stringify(jsonOf(record))));
  const octets = new Uint8Array(parts.reduce((sum, { length }) => sum + HEAD + length, 0));
  const view = new DataView(octets.buffer);
  let at = 0;
  for (const part of parts) {
    view.setUint32(at, part.length);
    view.setUint32(at + 4, crc32c(part, 0, 0, part.length));
    octets.set(part, at + HEAD);
    at += HEAD + part.length;
  }
  return octets;
}

/** The good records, where they end, and whether what follows is more than a record that was being written. */
function scan(octets: Uint8Array): { readonly records: RouterRecord[]; readonly end: number; readonly isDamaged: boolean } {
  const records: RouterRecord[] = [];
  if (octets.length < MAGIC.length || !MAGIC.every((octet, at) => octets[at] === octet))
    return { records, end: 0, isDamaged: octets.length > 0 };
  const view = new DataView(octets.buffer, octets.byteOffset, octets.length);
  let at = MAGIC.length;
  while (at < octets.length) {
    if (at + HEAD > octets.length) return { records, end: at, isDamaged: false };
    const length = view.getUint32(at);
    const from = at + HEAD;
    if (length > MOST_RECORD) return { records, end: at, isDamaged: true };
    if (from + length > octets.length) return { records, end: at, isDamaged: false };
    const record =
      crc32c(octets, 0, from, from + length) === view.getUint32(at + 4) ? recordIn(octets.subarray(from, from + length)) : undefined;
    if (record === undefined) return { records, end: at, isDamaged: from + length < octets.length };
    records.push(record);
    at = from + length;
  }
  return { records, end: at, isDamaged: false };
}

type Written = { readonly name: string; readonly operator: MatchOperator; readonly value: string };
function jsonOf(record: RouterRecord): unknown {
  if (record.is === "notified") return record;
  const matchers = record.silence.matchers.map(({ name, operator, value }): Written => ({ name, operator, value }));
  return { is: "silence", silence: { ...record.silence, matchers } };
}

function recordIn(octets: Uint8Array): RouterRecord | undefined {
  try {
    const read = JSON.parse(new TextDecoder().decode(octets)) as RouterRecord;
    if (read.is !== "silence") return read;
    const matchers = (read.silence.matchers as readonly Written[]).map(({ name, operator, value }) => new Matcher(name, operator, value));
    return { is: "silence", silence: { ...read.silence, matchers } satisfies Silence };
  } catch {
    return undefined;
  }
}
