import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** One page: its path without the slash, its name in the navigation, and what it shows. */
export type Page = { readonly path: string; readonly name: string; readonly title: string; readonly View: () => VNode };

/** The last part of the address. */
const pathOf = (): string => location.pathname.slice(location.pathname.lastIndexOf("/") + 1);

/** The page of the address. Links to other pages change it without loading the document again; the heading of the new page gets the focus. */
export function usePage(pages: readonly Page[], aliases: Readonly<Record<string, string>>): Page {
  const [path, setPath] = useState(pathOf);
  const current = pages.find((page) => page.path === (aliases[path] ?? path)) ?? pages[0]!;
  useEffect(() => {
    const moved = (): void => setPath(pathOf());
    const clicked = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      const target = link?.getAttribute("href") ?? "";
      if (!isPlain || event.defaultPrevented || !pages.some((page) => target === page.path || target.startsWith(`${page.path}?`))) return;
      event.preventDefault();
      history.pushState(null, "", target);
      // The query page reads its panels from the address when it begins.
      dispatchEvent(new PopStateEvent("popstate"));
      scrollTo(0, 0);
    };
    addEventListener("popstate", moved);
    document.addEventListener("click", clicked);
    return () => {
      removeEventListener("popstate", moved);
      document.removeEventListener("click", clicked);
    };
  }, [pages]);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) document.querySelector<HTMLElement>("#title")?.focus();
    isFirst.current = false;
    document.title = `${current.title} – Touchstone metrics`;
  }, [current]);
  return current;
}
