import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Request, Response } from "../../http/index.ts";
import { compressed } from "./gzip.ts";

/** Serves the web pages, which `ci/pages.ts` bundles; they load nothing from other servers. */

const BUILT = fileURLToPath(new URL("pages/built/", import.meta.url));

/** The paths that operators know; one document draws all of them. */
const PAGES: ReadonlySet<string> = new Set([
  "/graph",
  "/query",
  "/alerts",
  "/targets",
  "/rules",
  "/service-discovery",
  "/tsdb-status",
  "/config",
  "/flags",
  "/status",
]);

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  md: "text/plain; charset=utf-8",
};

/** Only our own files run, and only our own API is asked. The editor and the chart set styles from their scripts, which no policy restricts. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  // The editor underlines mistakes with a picture in its style sheet.
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const SAFE: readonly (readonly [string, string])[] = [
  ["content-security-policy", POLICY],
  ["x-content-type-options", "nosniff"],
  ["referrer-policy", "same-origin"],
  ["cross-origin-opener-policy", "same-origin"],
];
const PLAIN = [["content-type", "text/plain; charset=utf-8"]] as const;

/** The files by their paths, read once for each server: a path of a request never reaches the file system. */
export class WebPages {
  #files: ReadonlyMap<string, Uint8Array> | undefined;

  /** The response to a request for a page or one of its files; undefined for any other. */
  answer(request: Request): Response | undefined {
    const [path = ""] = request.path.split("?", 1);
    const isPage = PAGES.has(path);
    const file = isPage ? "/index.html" : path;
    if (path !== "/" && !isPage && !path.startsWith("/assets/") && path !== "/favicon.svg" && path !== "/licenses.md") return undefined;
    if (request.method === "OPTIONS") return { status: 204, fields: [["allow", "GET, HEAD, OPTIONS"]] };
    if (request.method !== "GET" && request.method !== "HEAD") return { status: 405, fields: [["allow", "GET, HEAD"]] };
    // Relative: a proxy may serve all of this under a prefix.
    if (path === "/") return { status: 302, fields: [["location", "graph"]] };
    this.#files ??= read();
    const body = this.#files.get(file);
    if (body === undefined && isPage)
      return { status: 404, fields: PLAIN, body: "The web pages are not built: run `npm run pages`. The query API is at /api/v1/.\n" };
    if (body === undefined) return undefined;
    const type = TYPES[file.slice(file.lastIndexOf(".") + 1)] ?? "application/octet-stream";
    // Names of assets have a hash of their content.
    const cache = file.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
    return compressed(request, { status: 200, fields: [["content-type", type], ["cache-control", cache], ...SAFE], body });
  }
}

function read(): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const entry of entries()) {
    const path = `${entry.parentPath}/${entry.name}`;
    if (entry.isFile()) files.set(`/${path.slice(BUILT.length).replace(/^\/+/, "")}`, readFileSync(path));
  }
  return files;
}

function entries() {
  try {
    return readdirSync(BUILT, { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
}
