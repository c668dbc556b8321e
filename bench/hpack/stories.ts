import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { field, seeded, type Field } from "../../reference/core/index.ts";

/** The field lists of one connection in one direction, in order. */
export type Story = { readonly name: string; readonly lists: readonly (readonly Field[])[] };
export type Stories = { readonly about: string; readonly stories: readonly Story[] };

type Recorded = { readonly cases: readonly { readonly headers: readonly Readonly<Record<string, string>>[] }[] };

/** Recorded stories of real browsing from `TOUCHSTONE_STORIES` or a folder beside the project; without them, generated stories, the same each time. */
export function loadStories(
  folder = process.env["TOUCHSTONE_STORIES"] ?? join(import.meta.dirname, "../../../shared/data/header-stories"),
): Stories {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => /^story_\d+\.json$/.test(file)) : [];
  if (files.length === 0) return { about: "generated stories", stories: Array.from({ length: 8 }, (_, i) => generated(i)) };
  const stories = files.sort().map((file) => {
    const { cases } = JSON.parse(readFileSync(join(folder, file), "utf8")) as Recorded;
    const lists = cases.map(({ headers }) => headers.flatMap((one) => Object.entries(one).map(([name, value]) => field(name, value))));
    return { name: file, lists };
  });
  return { about: `${files.length} recorded stories`, stories };
}

export const countFields = ({ stories }: Stories): number =>
  stories.reduce((sum, { lists }) => sum + lists.reduce((fields, list) => fields + list.length, 0), 0);

/** One browser on one site: constant fields, fields that change with each request, and a cookie. */
function generated(seed: number): Story {
  const random = seeded(seed + 1);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const word = (length: number): string => Array.from({ length }, () => pick([..."abcdefghijklmnopqrstuvwxyz0123456789"])).join("");
  const hosts = Array.from({ length: 3 }, () => `${word(6)}.example.com`);
  const agent = `Mozilla/5.0 (X11; Linux x86_64) ${word(8)}/${word(4)}`;
  const cookie = `session=${word(40)}; theme=dark`;
  const lists = Array.from({ length: 150 }, () => [
    field(":method", random() < 0.95 ? "GET" : "POST"),
    field(":scheme", "https"),
    field(":authority", pick(hosts)),
    field(":path", random() < 0.3 ? "/" : `/${word(5)}/${word(8)}.${pick(["js", "css", "png", "html"])}`),
    field("user-agent", agent),
    field("accept", pick(["*/*", "text/html", "image/png,image/*;q=0.8"])),
    field("accept-language", "en-US,en;q=0.5"),
    field("accept-encoding", "gzip, deflate"),
    field("cookie", cookie),
    ...(random() < 0.5 ? [field("referer", `https://${pick(hosts)}/${word(6)}`)] : []),
    ...(random() < 0.2 ? [field("if-none-match", `"${word(16)}"`)] : []),
  ]);
  return { name: `generated-${seed}`, lists };
}
