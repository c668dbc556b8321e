// The data of the page: gzip in base64, one script element for each block.
import { byId } from "./dom.js";

/** The value of a block, or undefined if the page has no such block. */
export async function unpack(name) {
  const text = byId(`block-${name}`)?.textContent;
  if (!text) return undefined;
  const octets = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  const plain = new Blob([octets]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(plain).text());
}

/** Runs the work that needs the data. The note about scripts and browsers shows unless it succeeds. */
export async function withData(work) {
  const note = byId("needs");
  if (!("DecompressionStream" in window)) return;
  if (note) note.hidden = true;
  try {
    await work();
  } catch (error) {
    if (!note) throw error;
    note.hidden = false;
    note.textContent = `This page is damaged, and its cases cannot be shown: ${error.message}`;
  }
}
