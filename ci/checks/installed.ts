/** What npm adds to an installation of this package on one machine, by the lock file. */

type Locked = {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
};
type Lock = { readonly packages: Readonly<Record<string, Locked>> };

/** The folders of the dependencies of the package, and of theirs, as the lock file has them. Optional peers are not installed. */
export function packagesOf(
  { packages }: Lock,
  machine: { readonly os: string; readonly cpu: string } = { os: process.platform, cpu: process.arch },
): string[] {
  const found = new Set<string>();
  const waiting: (readonly [from: string, name: string])[] = Object.keys(packages[""]?.dependencies ?? {}).map((name) => ["", name]);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const path = placeOf(packages, ...next);
    const { os, cpu, dependencies, optionalDependencies } = packages[path] ?? {};
    if (found.has(path) || !fits(os, machine.os) || !fits(cpu, machine.cpu)) continue;
    found.add(path);
    waiting.push(...Object.keys({ ...dependencies, ...optionalDependencies }).map((name) => [path, name] as const));
  }
  return [...found].sort();
}

/** As Node searches: in the folder of the importer, then in each folder above it. */
function placeOf(packages: Lock["packages"], from: string, name: string): string {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
    const path = `${at === "" ? "" : `${at}/`}node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (at === "") throw new Error(`package-lock.json does not have ${name}, which ${from} needs`);
  }
}

const fits = (allowed: readonly string[] | undefined, own: string): boolean =>
  allowed === undefined ||
  (allowed.includes(own) && !allowed.includes(`!${own}`)) ||
  allowed.every((one) => one.startsWith("!") && one !== `!${own}`);
