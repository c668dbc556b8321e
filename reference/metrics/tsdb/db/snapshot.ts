import type { Block } from "../block/index.ts";
import type { Files } from "../files/index.ts";

/** Links the files of all blocks into a directory. A later deletion replaces files under their original names only. */
export function snapshotBlocks(files: Files, blocks: readonly Block[], directory: string): void {
  files.makeDirectory(directory);
  for (const block of blocks) {
    const target = `${directory}/${block.meta.ulid}`;
    files.makeDirectory(`${target}/chunks`);
    for (const name of ["meta.json", "index", "tombstones"]) {
      if (files.exists(`${block.directory}/${name}`)) files.link(`${block.directory}/${name}`, `${target}/${name}`);
    }
    for (const name of files.list(`${block.directory}/chunks`)) files.link(`${block.directory}/chunks/${name}`, `${target}/chunks/${name}`);
    files.syncDirectory(`${target}/chunks`);
    files.syncDirectory(target);
  }
  files.syncDirectory(directory);
}
