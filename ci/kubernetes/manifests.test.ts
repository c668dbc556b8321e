import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { freePort } from "../../conformance/peers/index.ts";
import { serve } from "../../reference/serve/index.ts";
import type { Result } from "../../conformance/index.ts";
import { ROOT } from "../checks/sources.ts";

/** How to get the published schemas with the program that applies them. */
const INSTALL = "python3 -m pip install kubernetes-validate";
const INSTALLED = join(tmpdir(), `touchstone-peers-${userInfo().uid}`, "python/bin/kubernetes-validate");
const VALIDATOR = existsSync(INSTALLED) ? INSTALLED : "kubernetes-validate";
const FILES = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".yaml"));

type Container = {
  readonly image: string;
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly mountPath: string }[];
};
type Pod = { readonly containers: readonly Container[]; readonly securityContext: object };
type Template = { readonly template?: { readonly spec: Pod }; readonly completions?: number };
type Manifest = {
  readonly kind: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: Template & { readonly jobTemplate?: { readonly spec: Template } };
};

const manifestsIn = (file: string): Manifest[] =>
  parseAllDocuments(readFileSync(join(import.meta.dirname, file), "utf8")).map((document) => document.toJS() as Manifest);
const podOf = ({ spec }: Manifest): Pod | undefined => (spec?.jobTemplate?.spec ?? spec)?.template?.spec;
const containersIn = (file: string): Container[] => manifestsIn(file).flatMap((one) => podOf(one)?.containers ?? []);
const containerIn = (file: string): Container => {
  const [container] = containersIn(file);
  if (container === undefined) throw new Error(`${file} has no container`);
  return container;
};

let folder = "";
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "touchstone-kubernetes-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command of a container here: `changes` are what is elsewhere in the cluster, and what a variable of its environment becomes. */
function start({ args }: Container, changes: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv = {}, more: readonly string[] = []) {
  const words = args.map((word) => Object.entries(changes).reduce((all, [from, to]) => all.replaceAll(from, to), word));
  return spawn(process.execPath, [join(ROOT, "touchstone.ts"), ...words, ...more], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function run(...given: Parameters<typeof start>): Promise<{ readonly status: number; readonly stdout: string }> {
  const child = start(...given);
  let stdout = "";
  child.stdout.on("data", (text: Buffer) => (stdout += text.toString("utf8")));
  const [status] = (await once(child, "close")) as [number];
  return { status, stdout };
}

describe("the manifests", () => {
  test("fit the published schemas, and a mistake in one does not", (context) => {
    const validate = (...files: readonly string[]) =>
      spawnSync(VALIDATOR, ["--strict", ...files], { cwd: import.meta.dirname, encoding: "utf8" });
    if (validate("--help").error !== undefined) return context.skip(`the schemas are not here: ${INSTALL}`);
    expect(validate(...FILES)).toMatchObject({ status: 0, stderr: expect.not.stringContaining("ERROR") });
    const wrong = join(folder, "wrong.yaml");
    writeFileSync(wrong, readFileSync(join(import.meta.dirname, "campaign.yaml"), "utf8").replace("replicas: 4", "replicas: four"));
    expect(validate(wrong).status).not.toBe(0);
  });

  test.each(FILES)("%s: no root, no privileges, a root that is read-only with a folder for temporary files", (file) => {
    const pods = manifestsIn(file).flatMap((one) => podOf(one) ?? []);
    expect(pods).toHaveLength(1);
    for (const { containers, securityContext } of pods) {
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65532 });
      for (const one of containers) {
        expect(one.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
        expect(one.volumeMounts.map(({ mountPath }) => mountPath)).toContain("/tmp");
      }
    }
  });

  test("the number of jobs in the environment is the number of completions, and all their results are merged", () => {
    const [job] = manifestsIn("check.yaml").filter(({ kind }) => kind === "Job");
    const completions = job?.spec?.completions ?? 0;
    expect(containerIn("check.yaml").env).toEqual([{ name: "JOB_COMPLETIONS", value: String(completions) }]);
    const files = containerIn("merge.yaml").args.filter((word) => /^\/out\/\d+\.json$/.test(word));
    expect(files).toEqual(Array.from({ length: completions }, (_, at) => `/out/${at}.json`));
  });
});

describe("their commands, as processes of this machine", () => {
  test("four pods check a service, each a part, and the merging step has the whole", async () => {
    await using server = await serve(() => ({ status: 200, body: "hello" }));
    const only = ["--only", "http1/host-missing,http1/host-twice*"];
    const { env = [] } = containerIn("check.yaml");
    const pods = await Promise.all(
      env.flatMap(({ name, value }) =>
        Array.from({ length: Number(value) }, (_, at) => {
          const changes = { "http://service:8080/": server.url, "/out/": `${folder}/`, "$(JOB_COMPLETION_INDEX)": String(at) };
          return run(containerIn("check.yaml"), changes, { JOB_COMPLETION_INDEX: String(at), [name]: value }, only);
        }),
      ),
    );
    expect(pods.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
    const merged = await run(containerIn("merge.yaml"), { "/out/": `${folder}/` });
    expect([merged.status, merged.stdout]).toEqual([0, expect.stringContaining("Nothing failed.")]);
    const read = (name: string): Result => [JSON.parse(readFileSync(join(folder, name), "utf8")) as Result].flat()[0]!;
    const [whole, parts] = [read("result.json"), [0, 1, 2, 3].map((at) => read(`${at}.json`))];
    expect(whole.cases).toHaveLength(parts.reduce((sum, { cases }) => sum + cases.length, 0));
    expect([whole.partial, whole.cases.length > 3]).toEqual([undefined, true]);
    expect(readFileSync(join(folder, "junit.xml"), "utf8")).toContain("<testsuite ");
  });

  test("the night of fuzzing keeps its corpus where the next one finds it", async () => {
    const changes = { "/corpus": folder, "--seconds=600": "--executions=300" };
    const [first, second] = [await run(containerIn("fuzz.yaml"), changes), await run(containerIn("fuzz.yaml"), changes)];
    expect([first.status, second.status]).toEqual([0, 0]);
    expect(JSON.parse(first.stdout)).toMatchObject({ target: "hpack/decoder", executions: 300 });
    expect(readFileSync(join(folder, "inputs/hpack-decoder.txt"), "utf8")).toMatch(/^(?:[0-9a-f]+\n)+$/);
  });

  test("a worker without a Redis server says so", async () => {
    const { status } = await run(containerIn("campaign.yaml"), { "redis://redis:6379": "redis://127.0.0.1:9" });
    // 2 where the engine is not installed.
    expect([2, 3]).toContain(status);
  });

  test("the metrics server is ready, and what it scrapes reaches the store", async () => {
    const [store, port] = [await freePort(), await freePort()];
    const { data = {} } = manifestsIn("metrics.yaml").find(({ kind }) => kind === "ConfigMap") ?? {};
    const config = Object.values(data)[0] ?? "";
    const local = config.replace("http://store:9009", `http://127.0.0.1:${store}`).replace("15s", "1s").replace(":9090", `:${port}`);
    writeFileSync(join(folder, "metrics.yml"), local);
    const receiver = {
      ...containerIn("metrics.yaml"),
      args: ["serve", "metrics", "--no-self-scrape", "--web.enable-remote-write-receiver"],
    };
    const servers: ChildProcess[] = [
      start(receiver, {}, {}, ["--port", String(store), "--storage.tsdb.path", join(folder, "store")]),
      start(containerIn("metrics.yaml"), { ":9090": `127.0.0.1:${port}`, "/etc/touchstone": folder, "/data": join(folder, "data") }),
    ];
    try {
      await Promise.all(servers.map((one) => once(one.stdout!, "data")));
      const answer = async (url: string): Promise<string> => (await fetch(url)).text();
      await expect.poll(() => answer(`http://127.0.0.1:${port}/-/ready`), { timeout: 60_000 }).toMatch(/ready/i);
      const query = `http://127.0.0.1:${store}/api/v1/query?query=up`;
      await expect.poll(() => answer(query), { timeout: 60_000 }).toContain('"cluster":"one"');
    } finally {
      for (const one of servers) one.kill("SIGKILL");
    }
  });
});
