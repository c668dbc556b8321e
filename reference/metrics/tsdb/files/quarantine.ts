import { type Files, parentOf } from "./files.ts";

/**
 * A folder in the data directory that holds damaged files and directories under their old paths. Nothing reads it, snapshots leave it out, and
 * retention neither counts nor removes it.
 */
export const QUARANTINE = "quarantine";

/**
 * Moves a damaged file or directory into quarantine, under its path in the data directory, with a number if that name is taken. Returns the new path.
 * Afterwards the move survives a power loss; if it is interrupted, everything is in one of the two places.
 */
export function setAside(files: Files, data: string, path: string): string {
  const wanted = `${data}/${QUARANTINE}${path.slice(data.length)}`;
  let to = wanted;
  for (let next = 1; files.exists(to); next++) to = `${wanted}.${next}`;
  const folder = parentOf(to);
  files.makeDirectory(folder);
  // Sync the folder's name before anything moves in, and the new name before the removal of the old one.
  for (let inner = folder; inner !== data; inner = parentOf(inner)) files.syncDirectory(parentOf(inner));
  files.rename(path, to);
  files.syncDirectory(folder);
  files.syncDirectory(parentOf(path));
  return to;
}

/** Tells the operator what to do next. */
export const keptIn = (to: string): string =>
  `The damaged data is in ${to}: inspect it, move it back once repaired, or delete it to free disk space`;
