import { spawnSync } from "node:child_process";

/** The most octets of one answer of `git`. */
const MOST = 16_777_216;

/** Reads files as they are in a revision of the git repository around the current folder. Paths are relative to that folder. */
export class Revision {
  readonly #name: string;

  /** `name` is a branch, a tag or a commit. */
  constructor(name: string) {
    this.#name = name;
  }

  /** Whether the repository has this revision. A name that begins with a hyphen would be an option of git. */
  get exists(): boolean {
    return !this.#name.startsWith("-") && this.#git("rev-parse", "--verify", "--quiet", `${this.#name}^{commit}`) !== undefined;
  }
  file(path: string): Uint8Array | undefined {
    return this.#git("cat-file", "blob", this.#at(path));
  }
  /** The paths of all files below a folder, relative to it; undefined if it is none. */
  files(folder: string): readonly string[] | undefined {
    const listed = this.#git("ls-tree", "-r", "-z", "--name-only", this.#at(folder));
    return listed === undefined ? undefined : new TextDecoder().decode(listed).split("\0").slice(0, -1);
  }

  #at(path: string): string {
    return `${this.#name}:./${path === "." ? "" : path}`;
  }
  #git(...args: string[]): Uint8Array | undefined {
    const { status, stdout } = spawnSync("git", args, { maxBuffer: MOST, stdio: ["ignore", "pipe", "ignore"] });
    return status === 0 ? stdout : undefined;
  }
}
