/** A file has the wrong content. The message is one line that names the path and the problem. */
export class DamagedFile extends Error {
  override readonly name = "DamagedFile";
  readonly code = "DAMAGED_FILE";
}

/** The first line, shortened and without unprintable characters, because the message quotes the file. */
export const firstLine = (text: string): string =>
  text
    .replaceAll(/[^\x20-\x7e]+/g, " ")
    .trim()
    .slice(0, 160);

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "permission is denied",
  EPERM: "it is not permitted",
  EISDIR: "it is a folder, and a file name is needed",
  ENOTDIR: "a part of the path is a file, not a folder",
  ENOSPC: "the disk is full",
  EDQUOT: "the quota is used up",
  EROFS: "the file system is read-only",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "the links go round in a circle",
  EMFILE: "too many files are open",
};

/** A file system error in words, with its code. */
export function why(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  const words = REASONS[code];
  return words === undefined ? firstLine(String((error as Error).message)) : `${words} (${code})`;
}
