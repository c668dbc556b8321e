import type { Comments } from "../parse/comments.ts";
import { NO_COMMENTS } from "../parse/comments.ts";
import type { Place } from "../place.ts";
import type { Word } from "../syntax.ts";
import type { SourceCodeInfo } from "./descriptor.pb.ts";

/** Where an element of a descriptor is in its text: the numbers of fields and positions in lists that lead to it. */
export type Path = readonly number[];

/** The places and comments of the elements of one file. */
export class Locations {
  readonly #file: string;
  readonly #byPath = new Map<string, { readonly place: Place; readonly comments: Comments }>();

  constructor(file: string, info: SourceCodeInfo | undefined) {
    this.#file = file;
    for (const { path, span, leadingComments = "", trailingComments = "", leadingDetachedComments } of info?.location ?? []) {
      const [line = -1, column = -1] = span;
      this.#byPath.set(path.join("."), {
        place: { file, line: line + 1, column: column + 1 },
        comments: {
          leading: plain(leadingComments),
          trailing: plain(trailingComments),
          detached: leadingDetachedComments.map(plain),
        },
      });
    }
  }

  /** Line 0 if the descriptor does not say. */
  place(path: Path): Place {
    return this.#byPath.get(path.join("."))?.place ?? { file: this.#file, line: 0, column: 0 };
  }
  comments(path: Path): Comments {
    return this.#byPath.get(path.join("."))?.comments ?? NO_COMMENTS;
  }
  word(text: string, path: Path): Word {
    return { text, place: this.place(path) };
  }
}

/** A comment without the space that stands before each of its lines. */
function plain(comment: string): string {
  const lines = comment.split("\n").map((line) => line.trimEnd());
  const isSpaced = lines.every((line) => line === "" || line.startsWith(" "));
  return lines
    .map((line) => (isSpaced ? line.slice(1) : line))
    .join("\n")
    .replace(/^\n+|\n+$/g, "");
}
