/** Files as the storage needs them, read by pages and written in sections, and what to do about damaged ones. */
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
