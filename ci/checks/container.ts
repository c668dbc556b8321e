import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./sources.ts";

/** The part of an image's configuration that says how it runs. */
export type ImageConfig = {
  readonly User: string;
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Healthcheck: { readonly Test: readonly string[] };
};

/** How to get the programs that build and run images. */
export const INSTALL = "apt-get install --no-install-recommends buildah podman runc";
const isHere = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;
/** Whether this machine can build images. */
export const canBuild = (): boolean => isHere("buildah") && isHere("podman");

/** Images in a folder of their own, built from `ci/container/Containerfile` without a registry, and run where the machine permits it. */
export class Images {
  readonly #env: NodeJS.ProcessEnv;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = mkdtempSync(join(folder, "images-"));
    const settings = join(this.#folder, "storage.conf");
    // The driver that needs no kernel support.
    writeFileSync(settings, `[storage]\ndriver = "vfs"\nrunroot = "${this.#folder}/run"\ngraphroot = "${this.#folder}/graph"\n`);
    this.#env = { ...process.env, CONTAINERS_STORAGE_CONF: settings };
  }

  /** Builds the image of a program that is one file. The first stage, which compiles it, is replaced by a folder of what it would make. */
  build(program: string, name: string): ImageConfig {
    const [made, context] = [join(this.#folder, "made"), join(this.#folder, "context")];
    execFileSync("sh", [join(ROOT, "ci/container/files.sh"), program, made]);
    mkdirSync(context);
    const file = join(ROOT, "ci/container/Containerfile");
    const first = ["--build-context", `build=${join(this.#folder, "first")}`];
    mkdirSync(join(this.#folder, "first"));
    execFileSync("mv", [made, join(this.#folder, "first/image")]);
    this.#run("buildah", "build", "--format", "docker", "--isolation", "chroot", ...first, "-f", file, "-t", name, context);
    const { Docker: image } = JSON.parse(this.#run("buildah", "inspect", "--type", "image", name)) as { Docker: { config: ImageConfig } };
    return image.config;
  }

  /** The engine that can start a container of this image here, as the words of a command; undefined if there is none. */
  engine(image: string): readonly string[] | undefined {
    return [["podman"], ["podman", "--runtime", "runc"]].find(
      ([program = "", ...words]) => spawnSync(program, [...words, ...runOf(image), "--version"], { env: this.#env }).status === 0,
    );
  }

  /** Starts a container whose standard output can be read. */
  start([program = "", ...first]: readonly string[], image: string, name: string, words: readonly string[]) {
    const command = [...first, ...runOf(image, "--name", name), ...words];
    return spawn(program, command, { env: this.#env, stdio: ["ignore", "pipe", "inherit"] });
  }

  /** Runs one more program in a container that runs. */
  inside([program = "", ...first]: readonly string[], name: string, words: readonly string[]) {
    return spawnSync(program, [...first, "exec", name, ...words], { env: this.#env, encoding: "utf8" });
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #run(program: string, ...words: readonly string[]): string {
    return execFileSync(program, words, { env: this.#env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  }
}

/** Read-only, and with limits of this process: some machines refuse those that the engine sets, which are higher. */
const runOf = (image: string, ...more: readonly string[]): string[] => [
  "run",
  "--rm",
  "--ulimit=nofile=4096:4096",
  "--ulimit=nproc=4096:4096",
  "--network=host",
  "--no-healthcheck",
  "--read-only",
  ...more,
  image,
];
