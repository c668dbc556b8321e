import { execFile } from "node:child_process";
import { accessSync, constants, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { DOMParser, type Element } from "@xmldom/xmldom";
import type { Crosscheck, TheirCase } from "../../crosscheck/crosscheck.ts";
import { Unreachable, WrongUse } from "../../harness/driver.ts";
import { H2SPEC_MAP } from "./map.ts";

/** The program: as given, on the PATH, or where Go installs it. Throws `WrongUse` with how to install it. */
export function findH2spec(given: string | undefined): string {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), join(process.env["GOPATH"] ?? join(homedir(), "go"), "bin")];
  const places = given === undefined ? folders.filter((folder) => folder !== "").map((folder) => join(folder, "h2spec")) : [given];
  const found = places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      // Not here: the next place may have it.
      return false;
    }
  });
  if (found !== undefined) return found;
  throw new WrongUse(
    given === undefined
      ? "h2spec is not on the PATH: install it with ci/h2spec.sh, or name it with --tool PATH."
      : `There is no program ${given}: check --tool.`,
  );
}

/** The version of the Go module in a program that Go built, which what it prints itself need not name: 2.2.1 calls itself 2.0.0. */
const MODULE = /\tgithub\.com\/summerwind\/h2spec(?:\/v2)?\tv(\d+\.\d+\.\d+)/;

/** The version that runs: of its module if Go installed it, otherwise what the program prints, as a released one does. */
export async function h2specVersion(program: string): Promise<string> {
  const ofModule = MODULE.exec(readFileSync(program, "latin1"))?.[1];
  if (ofModule !== undefined) return ofModule;
  return new Promise((resolve) => {
    execFile(program, ["--version"], (_error, stdout) => resolve(/Version: (\S+)/.exec(stdout)?.[1] ?? "of an unknown version"));
  });
}

const LONGEST = 300_000;

/** Runs all of h2spec, strict cases included, and reads its report. */
export async function runH2spec(program: string, url: string, timeoutS: number): Promise<TheirCase[]> {
  const { protocol, hostname, port, pathname } = new URL(url);
  const tls = protocol === "https:";
  const folder = mkdtempSync(join(tmpdir(), "touchstone-h2spec-"));
  const report = join(folder, "report.xml");
  const args = [
    "--strict",
    "-h",
    hostname,
    "-p",
    port === "" ? (tls ? "443" : "80") : port,
    "-P",
    pathname,
    "-o",
    String(timeoutS),
    "-j",
    report,
  ];
  try {
    const said = await new Promise<string>((resolve) => {
      // Its status is 1 when a case failed: the report decides.
      execFile(program, tls ? [...args, "-t", "-k"] : args, { timeout: LONGEST, maxBuffer: 16_777_216 }, (_error, stdout, stderr) => {
        resolve(`${stdout}\n${stderr}`.trim());
      });
    });
    let text: string;
    try {
      text = readFileSync(report, "utf8");
    } catch {
      throw new Unreachable(`h2spec wrote no report: ${said.split("\n").at(-1) ?? "it printed nothing"}`);
    }
    return parseReport(text);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const named = (parent: Element, ...names: readonly string[]): Element[] =>
  [...parent.childNodes].filter((node): node is Element => names.includes(node.nodeName));

/** The cases of its JUnit report, in order. Throws if it is not XML. */
export function parseReport(xml: string): TheirCase[] {
  const { documentElement } = new DOMParser().parseFromString(xml, "text/xml");
  if (documentElement === null) return [];
  return named(documentElement, "testsuite").flatMap((suite) =>
    named(suite, "testcase").map((one): TheirCase => {
      const [problem] = named(one, "failure", "error");
      return {
        section: one.getAttribute("package") ?? "",
        title: one.getAttribute("classname") ?? "",
        verdict: problem !== undefined ? "fail" : named(one, "skipped").length > 0 ? "skip" : "pass",
        detail: (problem?.textContent ?? "").replaceAll(/\s+/g, " ").trim().slice(0, 300),
      };
    }),
  );
}

/** h2spec, the best-known suite for servers of HTTP/2. */
export const h2spec: Crosscheck = { tool: "h2spec", map: H2SPEC_MAP, find: findH2spec, version: h2specVersion, run: runH2spec };
