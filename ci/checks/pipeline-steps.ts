import { parse } from "yaml";

/** The shell of pipelines, as the engine that reads the file would run it. */

/** Steps run in order, each in a shell of its own. After a failure only those that always run do. */
export type Job = {
  readonly shell: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
};
export type Step = { readonly script: string; readonly always?: true; readonly environment?: Readonly<Record<string, string>> };

type GithubStep = { readonly run?: string; readonly if?: string; readonly env?: Readonly<Record<string, string>> };
const BASH = ["bash", "--noprofile", "--norc", "-e"];
const ofGithub = (steps: readonly GithubStep[]): Step[] =>
  steps.flatMap(({ run, if: when, env = {} }) =>
    run === undefined ? [] : [{ script: run, environment: env, ...(when === "always()" && { always: true as const }) }],
  );

/** A job of a workflow of GitHub Actions. Steps that use an action have no shell and are left out. */
export function githubJob(text: string, name: string): Job {
  const { env = {}, jobs } = parse(text) as {
    readonly env?: Readonly<Record<string, string>>;
    readonly jobs: Readonly<Record<string, { readonly steps: readonly GithubStep[] }>>;
  };
  return { shell: BASH, environment: env, steps: ofGithub(jobs[name]?.steps ?? []) };
}

/** A composite action with its inputs, which stand in variables of steps as `${{ inputs.name }}`. */
export function githubAction(text: string, given: Readonly<Record<string, string>>): Job {
  const { inputs, runs } = parse(text) as {
    readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
    readonly runs: { readonly steps: readonly GithubStep[] };
  };
  const valueOf = (name: string): string => {
    const value = given[name] ?? inputs[name]?.default;
    if (value === undefined) throw new Error(`the action needs the input ${name}`);
    return value;
  };
  const steps = ofGithub(runs.steps).map((step) => ({
    ...step,
    environment: Object.fromEntries(
      Object.entries(step.environment ?? {}).map(([name, value]) => [
        name,
        value.replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => valueOf(input)),
      ]),
    ),
  }));
  return { shell: BASH, environment: {}, steps };
}

/** A job of GitLab CI: its lines run in one shell, which a failure ends. */
export function gitlabJob(text: string, name: string): Job {
  const { variables = {}, ...jobs } = parse(text) as Readonly<Record<string, unknown>> & {
    readonly variables?: Readonly<Record<string, string>>;
  };
  const { script } = jobs[name] as { readonly script: readonly string[] };
  return { shell: ["bash", "-eo", "pipefail"], environment: variables, steps: [{ script: script.join("\n") }] };
}

/** A stage of a declarative pipeline of Jenkins. */
export function jenkinsStage(text: string, name: string): Job {
  const [, body = ""] = new RegExp(`stage\\('${name}'\\)([^]*?)\\n        \\}`).exec(text) ?? [];
  const environment = Object.fromEntries([...text.matchAll(/^ {8}(\w+) = '([^']*)'$/gm)].map(([, key = "", value = ""]) => [key, value]));
  return {
    shell: ["sh", "-xe"],
    environment,
    steps: [...body.matchAll(/sh '''([^]*?)'''/g)].map(([, script = ""]) => ({ script: unescaped(script) })),
  };
}

/** Groovy reads a backslash at the end of a line as the join of both. */
const unescaped = (script: string): string => script.replaceAll("\\\n", "");
