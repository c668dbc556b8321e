import { existsSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";
import { Misuse } from "../../core/index.ts";
import type { Response } from "../../http/index.ts";

/** The page of the channel, its script, its style, and the terminal: all from here, nothing from elsewhere. */

const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const installed = (name: string): string => fileURLToPath(import.meta.resolve(name));

/**
 * A module of ours as the browser takes it: the compiled one where the package is built, else the source without its types. `import`s
 * name the file as it is written, so that either spelling leads to it.
 */
function script(path: string): string {
  const source = beside(path);
  if (!source.endsWith(".ts")) return readFileSync(source, "utf8");
  if (!existsSync(source)) return readFileSync(source.replace(/\.ts$/, ".js"), "utf8");
  const { emitWarning } = process;
  // Node says of the function what it does not say of the same thing done to this file: that it is an experiment.
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(readFileSync(source, "utf8"));
  } finally {
    process.emitWarning = emitWarning;
  }
}

const JS = "text/javascript; charset=utf-8";
const CSS = "text/css; charset=utf-8";
const PURE = "../../websocket/channel";
const FILES: Readonly<Record<string, readonly [type: string, read: () => string]>> = {
  "/": ["text/html; charset=utf-8", () => readFileSync(beside("page/index.html"), "utf8")],
  "/channel.css": [CSS, () => readFileSync(beside("page/channel.css"), "utf8")],
  "/channel.js": [JS, () => readFileSync(beside("page/channel.js"), "utf8")],
  "/client-side.js": [JS, () => script(`${PURE}/client-side.ts`)],
  "/protocol.js": [JS, () => script(`${PURE}/protocol.ts`)],
  "/protocol.ts": [JS, () => script(`${PURE}/protocol.ts`)],
  "/schema.json": ["application/schema+json", () => readFileSync(beside(`${PURE}/schema.json`), "utf8")],
  "/xterm.js": [JS, () => readFileSync(installed("@xterm/xterm/lib/xterm.mjs"), "utf8").replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n")],
  "/xterm.css": [CSS, () => readFileSync(installed("@xterm/xterm/css/xterm.css"), "utf8")],
};

/** The terminal sets its colours in a style element of its own; no script but ours runs, and nobody frames the page. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const kept = new Map<string, string>();
const content = (path: string, read: () => string): string => {
  const found = kept.get(path);
  if (found !== undefined) return found;
  const text = read();
  kept.set(path, text);
  return text;
};

/** What the page is made of, by path; undefined for any other. */
export function page(method: string, path: string): Response | undefined {
  const name = path.split("?", 1)[0] ?? "";
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (file === undefined) return undefined;
  if (method !== "GET" && method !== "HEAD") return { status: 405, fields: [["allow", "GET, HEAD"]] };
  const [type, read] = file;
  const fields: [string, string][] = [
    ["content-type", type],
    ["content-security-policy", POLICY],
    ["x-content-type-options", "nosniff"],
    ["referrer-policy", "no-referrer"],
    ["cross-origin-opener-policy", "same-origin"],
    ["cache-control", "no-cache"],
  ];
  return { status: 200, fields, body: content(name, read) };
}

/** Reads all of it once, so that what is missing shows at the start. */
export function checkPage(): void {
  for (const [path, [, read]] of Object.entries(FILES)) {
    if (content(path, read) === "") throw new Misuse(`${path} of the page is empty`);
  }
}
