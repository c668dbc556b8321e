import { isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments, type Alias, type Document, type Node, type Scalar } from "yaml";

/** What is wrong with a configuration, and where. */
export type Problem = {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The field, such as `scrape_configs[0].scrape_interval`; empty for a fault of the file as a whole. */
  readonly field: string;
  readonly message: string;
};

/** One line of text: `metrics.yml:12: scrape_configs[0].scrape_interval: …`. */
export const describeProblem = ({ file, line, field, message }: Problem): string =>
  `${file}:${line}: ${field === "" ? "" : `${field}: `}${message}`;

/** A path that the configuration names, resolved, and the place that names it. */
export type NamedFile = { readonly path: string; readonly line: number; readonly field: string; readonly use: FileUse };
/** How a named file is used: what it holds decides how it can be checked. */
export type FileUse = "templates" | "secret" | "certificates" | "key" | "targets" | "rules" | "scrapes" | "written";

/** Nodes that are read at most: aliases may repeat a part of the file many times. */
const MOST_NODES = 1_000_000;
const MOST_PROBLEMS = 100;

/** A YAML file that is being read: its name, its problems so far, and the files that it names. */
export class Source {
  readonly file: string;
  /** Relative paths in the file begin here (Prometheus docs, configuration/configuration.md). */
  readonly directory: string;
  readonly problems: Problem[] = [];
  readonly files: NamedFile[] = [];
  readonly #lines = new LineCounter();
  /** The place of each field of the values that have been read. */
  readonly #fields = new WeakMap<object, (field: string) => Place>();
  #document: Document.Parsed | undefined;
  #nodes = 0;

  constructor(file: string) {
    this.file = file;
    this.directory = file.slice(0, file.lastIndexOf("/") + 1);
  }

  /** The root of the file; undefined if it is not YAML. Text and flags alike stay text: the field decides what it means. */
  parse(text: string): Place | undefined {
    let documents;
    try {
      documents = parseAllDocuments(text, {
        version: "1.1",
        schema: "failsafe",
        lineCounter: this.#lines,
        prettyErrors: false,
        strict: true,
      });
    } catch (error) {
      this.problem(0, "", `the file is not YAML: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
    const [first, second] = [...documents];
    this.#document = first;
    const faults = first?.errors ?? [];
    for (const { pos, message } of faults) this.problem(pos[0], "", message.replaceAll(/\s+/g, " "));
    if (second !== undefined) this.problem(second.range[0], "", "the file has more than one document: join them, or remove the others");
    return faults.length > 0 ? undefined : new Place(this, first?.contents ?? null, "", 0);
  }

  /** The node that an alias stands for. */
  resolve(alias: Alias): Node | null {
    return (this.#document === undefined ? undefined : alias.resolve(this.#document)) ?? null;
  }

  problem(offset: number, field: string, message: string): void {
    if (this.problems.length < MOST_PROBLEMS) this.problems.push({ file: this.file, line: this.lineOf(offset), field, message });
  }

  lineOf(offset: number): number {
    return Math.max(1, this.#lines.linePos(offset).line);
  }

  /** Counts a node; false once there are too many. */
  count(): boolean {
    this.#nodes += 1;
    return this.#nodes <= MOST_NODES;
  }

  /** Remembers where the fields of a value are. */
  remember(value: object, fields: (field: string) => Place): void {
    this.#fields.set(value, fields);
  }

  /** The place of a field of a value that was read from this file; of the whole value if the field is absent. */
  placeOf(value: object, field: string): Place {
    return this.#fields.get(value)?.(field) ?? new Place(this, null, field, 0);
  }
}

/** One entry of a map. */
export type Entry = { readonly key: string; readonly at: Place; readonly value: Place };

/** A node of the file with its path. */
export class Place {
  readonly source: Source;
  readonly path: string;
  readonly #node: Node | null;
  readonly #offset: number;

  /** `offset` is used if there is no node, as after `key:`. */
  // oxlint-disable-next-line max-params -- a node, and three facts about where it is
  constructor(source: Source, node: Node | null, path: string, offset: number) {
    this.source = source;
    this.path = path;
    this.#offset = node?.range?.[0] ?? offset;
    this.#node = node;
  }

  fail(message: string): undefined {
    this.source.problem(this.#offset, this.path, message);
    return undefined;
  }

  get line(): number {
    return this.source.lineOf(this.#offset);
  }

  /** The node, or the anchor's node for an alias. No field is inside another of the same kind, so a node inside itself ends somewhere. */
  get #content(): Node | null {
    const node = this.#node;
    return isAlias(node) ? this.source.resolve(node) : node;
  }

  /** Whether the value is empty, `null` or `~`. */
  get isNull(): boolean {
    const node = this.#content;
    return node === null || (isScalar(node) && isPlain(node) && /^(?:|~|null|Null|NULL)$/.test(textOf(node)));
  }

  /** The text of a scalar. */
  text(): string | undefined {
    const node = this.#content;
    if (!this.source.count()) return this.fail("the file has too many nodes: aliases repeat too much");
    if (this.isNull || node === null) return "";
    if (!isScalar(node)) return this.fail(`${kindOf(node)} is not allowed here: give one value`);
    if (node.tag !== undefined && node.tag !== "tag:yaml.org,2002:str" && node.tag !== "!")
      return this.fail(`the tag ${node.tag} is not supported`);
    return textOf(node);
  }

  /** The elements of a list; none if it is empty. */
  items(): Place[] | undefined {
    if (!this.source.count()) return this.fail("the file has too many nodes: aliases repeat too much");
    if (this.isNull) return [];
    const node = this.#content;
    if (!isSeq<Node | null>(node)) return this.fail(`${kindOf(node)} is not allowed here: give a list`);
    return node.items.map((item, at) => this.#child(item, `${this.path}[${at}]`, node.range?.[0] ?? 0));
  }

  /** The entries of a map; none if it is empty. Merged maps come first, and the map's own keys replace theirs. */
  entries(): Entry[] | undefined {
    if (!this.source.count()) return this.fail("the file has too many nodes: aliases repeat too much");
    if (this.isNull) return [];
    const node = this.#content;
    if (!isMap<Node, Node | null>(node)) return this.fail(`${kindOf(node)} is not allowed here: give fields with values`);
    const merged = new Map<string, Entry>();
    const own: Entry[] = [];
    for (const { key, value } of node.items) {
      if (!isScalar(key)) {
        this.fail("a key must be one value");
        continue;
      }
      const path = this.path === "" ? textOf(key) : `${this.path}.${textOf(key)}`;
      const at = this.#child(key, path, 0);
      const name = at.text();
      if (name === undefined) continue;
      const child = this.#child(value, path, key.range?.[0] ?? 0);
      if (name === "<<" && isPlain(key)) for (const entry of child.#mergeable(this.path)) merged.set(entry.key, entry);
      else own.push({ key: name, at, value: child });
    }
    for (const { key } of own) merged.delete(key);
    return [...merged.values(), ...own];
  }

  /** The place where a field of this map would be. */
  child(field: string): Place {
    return this.#child(null, this.path === "" ? field : `${this.path}.${field}`, this.#offset);
  }

  /** The entries that `<<` merges: of one map, or of a list of maps, the first of which wins. */
  #mergeable(path: string): Entry[] {
    const node = this.#content;
    const maps = isSeq<Node | null>(node)
      ? node.items.map((item) => this.#child(item, path, this.#offset))
      : [this.#child(node, path, this.#offset)];
    return maps.toReversed().flatMap((map) => map.entries() ?? []);
  }

  #child(node: Node | null, path: string, offset: number): Place {
    return new Place(this.source, node, path, offset);
  }
}

const isPlain = ({ type }: Scalar): boolean => type === "PLAIN" || type === undefined;
const textOf = ({ value }: Scalar): string => (typeof value === "string" ? value : value === null ? "" : String(value));
const kindOf = (node: Node | null): string => (isMap(node) ? "a map" : isSeq(node) ? "a list" : "a single value");
