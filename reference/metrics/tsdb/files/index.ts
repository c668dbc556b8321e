/** File access: the operations that the storage needs, reading by pages, writing with checksums, and quarantine for damaged files. */
export { Damage, Foreign, type Report } from "./damage.ts";
export {
  FileFault,
  type FileLock,
  type Files,
  type FileTrouble,
  type OpenFile,
  type OpenMode,
  parentOf,
  readFile,
  replaceFile,
  syncFile,
} from "./files.ts";
export { PageCache, PagedFile } from "./pages.ts";
export { keptIn, QUARANTINE, setAside } from "./quarantine.ts";
export { putU32, Sink } from "./sink.ts";
export { checkSection, textOf, Walk } from "./walk.ts";
