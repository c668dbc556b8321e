import { existsSync, readFileSync } from "node:fs";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Ajv, type ErrorObject } from "ajv";
import { WrongUse } from "../harness/driver.ts";
import { type Config, REPORTS, SETTINGS, type SubjectConfig } from "./settings.ts";

/** The names under which a configuration file is looked for, in the working directory. */
export const NAMES = ["ts", "js", "mjs", "json", "yaml", "yml"].map((end) => `touchstone.config.${end}`);

/** The configuration file of this folder; undefined without one. Throws `WrongUse` if there are several. */
export function configIn(folder: string): string | undefined {
  const there = NAMES.filter((name) => existsSync(resolve(folder, name)));
  if (there.length > 1) throw new WrongUse(`There are ${there.join(" and ")}: keep one, or name it with --config.`);
  return there[0] === undefined ? undefined : resolve(folder, there[0]);
}

/** Reads and checks a configuration file. Throws `WrongUse` with the place of the first mistake. */
export async function readConfig(path: string, schema: object): Promise<Config> {
  const data = await contentOf(path);
  const valid = new Ajv({ allowUnionTypes: true }).compile<Config>(schema);
  if (valid(data)) return data;
  throw new WrongUse(`${path}: ${inWords(valid.errors ?? [])}.`);
}

async function contentOf(path: string): Promise<unknown> {
  const end = extname(path);
  try {
    if (end === ".json") return JSON.parse(readFileSync(path, "utf8"));
    if (end === ".yaml" || end === ".yml") return (await import("yaml")).parse(readFileSync(path, "utf8"));
    readFileSync(path);
    const { default: config } = (await import(pathToFileURL(resolve(path)).href)) as { readonly default?: unknown };
    if (config === undefined) throw new Error("it has no default export: export default defineConfig({ … })");
    return config;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new WrongUse(`There is no ${path}: write one with touchstone init.`);
    throw new WrongUse(`${path} cannot be read: ${message.split("\n")[0]?.replace(/\.$/, "")}.`);
  }
}

/** The first mistake that says something: an unknown name first, since the others may follow from it. */
function inWords(errors: readonly ErrorObject[]): string {
  const [first] = [...errors].sort((a, b) => rank(a) - rank(b));
  if (first === undefined) return "it is damaged";
  const { instancePath, message, params } = first as ErrorObject<
    string,
    { additionalProperty?: string; allowedValues?: readonly string[] }
  >;
  const where = instancePath === "" ? "the top" : instancePath.slice(1).replaceAll("/", ".").replaceAll("~1", "/");
  if (params.additionalProperty !== undefined) return `${where} has no setting "${params.additionalProperty}"`;
  if (params.allowedValues !== undefined) return `${where} is one of ${params.allowedValues.join(", ")}`;
  return `${where} ${message}`;
}
const rank = ({ keyword }: ErrorObject): number =>
  ["additionalProperties", "required", "enum", "pattern", "type", "minLength"].indexOf(keyword) + 1 || 99;

/** One run: a subject with one suite, as the words of a command line. */
export type Job = { readonly subject: string; readonly words: readonly string[] };

/** The runs of a configuration, or of the subjects with these names. Throws `WrongUse` for an unknown name. */
export function jobsOf({ subjects, defaults = {} }: Config, names: readonly string[] | undefined): Job[] {
  const unknown = names?.find((name) => subjects[name] === undefined);
  if (unknown !== undefined)
    throw new WrongUse(`The configuration has no subject "${unknown}": it has ${Object.keys(subjects).join(", ")}.`);
  return Object.entries(subjects)
    .filter(([name]) => names === undefined || names.includes(name))
    .flatMap(([subject, settings]) => {
      const merged: SubjectConfig = { name: subject, ...defaults, ...settings };
      const suites = typeof merged.suite === "string" ? [merged.suite] : merged.suite;
      return suites.map((suite) => ({ subject, words: [suite, ...(merged.url === undefined ? [] : [merged.url]), ...flagsOf(merged)] }));
    });
}

/** The reports of a configuration as the words of a command line. */
export const reportWords = ({ reports = {} }: Config): string[] => wordsOf(reports, Object.keys(REPORTS));

const flagsOf = ({ options = {}, ...settings }: SubjectConfig): string[] => [
  ...wordsOf(
    settings,
    Object.keys(SETTINGS).filter((name) => name !== "url"),
  ),
  ...wordsOf(options, Object.keys(options)),
];

function wordsOf(settings: Readonly<Record<string, unknown>>, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const value = settings[name];
    const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === undefined || value === false) return [];
    if (value === true) return [flag];
    return (Array.isArray(value) ? value : [value]).map((one) => `${flag}=${String(one)}`);
  });
}
