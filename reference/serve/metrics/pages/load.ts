import { useCallback, useEffect, useState } from "preact/hooks";
import type { VNode } from "preact";
import { type Answered, ask } from "./api.ts";
import { html } from "./html.ts";

/** What is known of an answer: the data of the last one stays while the next is awaited. */
export type Loading<T> = {
  readonly answer: Answered<T> | undefined;
  readonly error: string | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
};

/** `path` is that of the answer: data of one path is never shown as data of another. */
type Known<T> = Omit<Loading<T>, "reload"> & { readonly path: string | undefined };

/** The data at a path of the API; nothing is asked without a path. Another path ends the request before. */
export function useLoaded<T>(path: string | undefined, form?: Readonly<Record<string, string>>): Loading<T> {
  const [turn, setTurn] = useState(0);
  const [known, setKnown] = useState<Known<T>>({ answer: undefined, error: undefined, isLoading: path !== undefined, path });
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  const asked = form === undefined ? undefined : JSON.stringify(form);
  useEffect(() => {
    const nothing = { answer: undefined, error: undefined, isLoading: false, path };
    if (path === undefined) {
      setKnown(nothing);
      return undefined;
    }
    const stop = new AbortController();
    setKnown((before) => ({ ...nothing, answer: before.path === path ? before.answer : undefined, isLoading: true }));
    ask<T>(path, { signal: stop.signal, ...(form !== undefined && { form }) }).then(
      (answer) => setKnown({ ...nothing, answer }),
      (error: unknown) => {
        if (!stop.signal.aborted) setKnown({ ...nothing, error: (error as Error).message });
      },
    );
    return () => stop.abort();
  }, [path, asked, turn]);
  const { answer, error, isLoading } = known.path === path ? known : { answer: undefined, error: undefined, isLoading: true };
  return { answer, error, isLoading, reload };
}

/** Says that data is awaited or why there is none; nothing once it is there. */
export function State({ of: { answer, error, isLoading } }: { readonly of: Omit<Loading<unknown>, "reload"> }): VNode | null {
  if (error !== undefined) return html`<p class="error" role="alert">${error}</p>`;
  if (answer === undefined && isLoading) return html`<p class="soft" role="status">Loading…</p>`;
  return null;
}

/** The heading of a page with a button that loads its data again. */
export function Heading({ title, loading }: { readonly title: string; readonly loading?: Loading<unknown> }): VNode {
  return html`<div class="heading">
    <h1 tabindex="-1" id="title">${title}</h1>
    ${loading === undefined ? "" : html`<button type="button" onClick=${loading.reload} aria-busy=${loading.isLoading}>Refresh</button>`}
  </div>`;
}
