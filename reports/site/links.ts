/** The addresses of the pages, from the top of the site, and how one page refers to another. */
import { address } from "../order.ts";

export const implementationPage = (name: string): string => `implementations/${name}.html`;
export const protocolPage = (id: string): string => `protocols/${id}.html`;
export const documentPage = (spec: string): string => `requirements/${spec}.html`;
export const questionPage = (id: string): string => `questions/${id}.html`;
export const findingPage = (id: string): string => `findings/${id}.html`;

/** The page and place of a requirement, or of a section without one: `rfc9113#6.9/increment-zero`. */
export function requirementPlace(ref: string): string {
  const { doc, section, entry } = address(ref);
  return `${documentPage(doc)}#${section}${entry === undefined ? "" : `/${entry}`}`;
}

/** The way from a page up to the top of the site: "" or "../". */
export const upFrom = (page: string): string => "../".repeat(page.split("/").length - 1);
