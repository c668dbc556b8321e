import { type Files, parentOf } from "./files.ts";

/**
 * In the data directory: what was found damaged when it was opened and is in nobody's way there, under the path that it had. No server reads it, no copy has
 * it, no retention counts or removes it.
 */
export const QUARANTINE = "quarantine";

/**
 * Moves a damaged file or directory into quarantine, under the path that it has in the data directory or the next that is free; returns where it is. The move
 * survives a loss of power when this returns; whatever it is interrupted by, all of it is in one of the two places.
 */
export function setAside(files: Files, data: string, path: string): string {
  const wanted = `${data}/${QUARANTINE}${path.slice(data.length)}`;
  let to = wanted;
  for (let next = 1; files.exists(to); next++) to = `${wanted}.${next}`;
  const room = parentOf(to);
  files.makeDirectory(room);
  // The room has its name on disk before anything moves in, and what moved has its new one before it loses the old.
  for (let inner = room; inner !== data; inner = parentOf(inner)) files.syncDirectory(parentOf(inner));
  files.rename(path, to);
  files.syncDirectory(room);
  files.syncDirectory(parentOf(path));
  return to;
}

/** What to do next, for whoever is told of it. */
export const keptIn = (to: string): string =>
  `What is damaged is kept in ${to}: look at it there, move it back when it is mended, or delete it to have its room back`;
