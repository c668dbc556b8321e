/** Runs in a page: how far it is too wide, texts with too little contrast (WCAG 2.2, 1.4.3), and controls without a name. */
export function measured(): { readonly over: number; readonly faint: readonly string[]; readonly nameless: readonly string[] } {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
  const channels = (colour: string): readonly number[] => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const light = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = channels(colour).map((value) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const parent = (element: Element): Element | null =>
    element.parentElement ?? (element.getRootNode() instanceof ShadowRoot ? (element.getRootNode() as ShadowRoot).host : null);
  const behind = (element: Element): string => {
    for (let at: Element | null = element; at !== null; at = parent(at)) {
      const { backgroundColor } = getComputedStyle(at);
      if ((channels(backgroundColor)[3] ?? 0) > 0) return backgroundColor;
    }
    return "white";
  };
  const everything = (root: ParentNode): Element[] =>
    [...root.querySelectorAll("*")].flatMap((element) => [element, ...(element.shadowRoot === null ? [] : everything(element.shadowRoot))]);
  const all = everything(document.body).filter((element) => element.checkVisibility() && element.getBoundingClientRect().width > 0);
  const ratio = (element: Element): number => {
    const [a, b] = [light(getComputedStyle(element).color), light(behind(element))].sort((x, y) => y - x) as [number, number];
    return (a + 0.05) / (b + 0.05);
  };
  const hasText = (element: Element): boolean =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== "");
  const named = (element: Element): boolean =>
    (element.getAttribute("aria-label") ?? element.textContent ?? "").trim() !== "" ||
    ((element as HTMLInputElement).labels?.length ?? 0) > 0;
  return {
    over: Math.max(0, document.documentElement.scrollWidth - innerWidth),
    faint: all
      .filter((element) => hasText(element) && ratio(element) < 4.5)
      .map((one) => `${one.tagName} ${one.className}: ${ratio(one).toFixed(2)}`),
    nameless: all
      .filter((one) => one.matches("a, button, input, select, [role=img], [contenteditable=true]") && !named(one))
      .map((one) => one.outerHTML),
  };
}
