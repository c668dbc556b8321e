/** Servers that are wrong on purpose: our own, behind one that changes what it is asked or what it shows. */

export type Shown = { readonly status: number; readonly contentType: string; readonly text: string };
/** A request, whether the server has its life cycle API, and whether features are still probed. */
export type Ask = { readonly url: URL; readonly method: string; readonly hasLifecycle: boolean; readonly isProbe: boolean };

export type Flaw = {
  readonly about: string;
  /** Changes the address of a request before the server gets it. */
  readonly ask?: (ask: Ask) => void;
  /** An answer in place of the server's; undefined: the server answers. */
  readonly instead?: (ask: Ask) => Shown | undefined;
  readonly answer?: (shown: Shown, ask: Ask) => Shown;
  /** Has its life cycle API without the flag for it. */
  readonly isOpen?: true;
  /** Every reload fails or succeeds in appearance only, and spoils what is shown. */
  readonly isSpoiled?: true;
  readonly isSilent?: true;
};

const isFederation = ({ url }: Ask): boolean => url.pathname === "/federate";
const isReload = ({ url, method }: Ask): boolean => url.pathname === "/-/reload" && method !== "GET";
const isQuit = ({ url, method }: Ask): boolean => url.pathname === "/-/quit" && method !== "GET";
const page = (text: string): Shown => ({ status: 200, contentType: "text/plain; version=0.0.4", text });
const onPage =
  (change: (text: string) => string): NonNullable<Flaw["answer"]> =>
  (shown, ask) =>
    isFederation(ask) && shown.status === 200 ? { ...shown, text: change(shown.text) } : shown;
const lines = (text: string, change: (line: string) => string): string =>
  text
    .split("\n")
    .map((line) => (line === "" || line.startsWith("#") ? line : change(line)))
    .join("\n");

type Change = (value: unknown) => unknown;
/** Changes every value of an answer in JSON below `data`. */
const inJson =
  (change: Change): NonNullable<Flaw["answer"]> =>
  (shown, { url, isProbe }) => {
    if (isProbe || !url.pathname.startsWith("/api/v1/") || url.pathname.endsWith("/query")) return shown;
    try {
      const { data, ...rest } = JSON.parse(shown.text) as { data?: unknown };
      return { ...shown, status: 200, text: JSON.stringify({ ...rest, data: change(data) }) };
    } catch {
      return shown;
    }
  };
const deep =
  (leaf: Change): Change =>
  (value) => {
    if (Array.isArray(value)) return value.map(deep(leaf));
    if (typeof value !== "object" || value === null) return leaf(value);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, deep(leaf)(one)]));
  };
type Target = Readonly<Record<string, unknown>>;
const onTargets = (change: (target: Target) => Target): NonNullable<Flaw["answer"]> =>
  inJson((data) => {
    const { activeTargets, droppedTargets, ...rest } = (data ?? {}) as Record<string, unknown>;
    if (!Array.isArray(activeTargets)) return data;
    return { ...rest, activeTargets: (activeTargets as Target[]).map(change), droppedTargets: (droppedTargets as Target[]).map(change) };
  });

export const FLAWS: Readonly<Record<string, Flaw>> = {
  blank: { about: "selects nothing", instead: (ask) => (isFederation(ask) ? page("") : undefined) },
  everything: {
    about: "selects everything, whatever it is asked",
    ask: ({ url }) => {
      if (url.pathname === "/federate") url.search = `?match[]=${encodeURIComponent('{__name__=~".+"}')}`;
    },
    answer: onPage((text) => `${text}fed_gone 1\n`),
  },
  first: {
    about: "knows the first selector only",
    ask: ({ url }) => {
      const [first] = url.searchParams.getAll("match[]");
      if (url.pathname === "/federate" && first !== undefined) url.search = `?match[]=${encodeURIComponent(first)}`;
    },
  },
  lenient: {
    about: "leaves wrong selectors out",
    instead: (ask) =>
      isFederation(ask) && /%5B5m|sum\(|sum%28|\{$|%7B$|%7B%7D|\{\}|\.\*%22|\.\*"/.test(ask.url.search.replace(/job:\.\*|job%3A\.\*/, ""))
        ? page("")
        : undefined,
  },
  revalued: { about: "shows other values", answer: onPage((text) => lines(text, (line) => line.replace(/ \S+( -?\d+)?$/, " 7"))) },
  relabelled: {
    about: "shows other labels, and the types of before",
    answer: onPage((text) =>
      lines(text, (line) => line.replaceAll(/(region|replica|job|instance|l)="[^"]*/g, '$1="wrong')).replaceAll(" untyped", " counter"),
    ),
  },
  replaced: {
    about: "replaces labels by external ones",
    answer: onPage((text) => lines(text, (line) => line.replace('region="own"', 'region="eu"'))),
  },
  doubled: {
    about: "shows everything twice",
    answer: onPage((text) => `${text}${text}`),
  },
  late: {
    about: "states types after the samples",
    answer: onPage((text) => {
      const all = text.split("\n").filter((line) => line !== "");
      return `${[...all.filter((line) => !line.startsWith("#")), ...all.filter((line) => line.startsWith("#"))].join("\n")}\n`;
    }),
  },
  scrambled: {
    about: "shows a page of no format",
    answer: (shown, ask) => (isFederation(ask) ? { ...shown, contentType: "text/html", text: `<p>\n${shown.text}` } : shown),
  },
  unwell: {
    about: "is neither healthy nor ready, and fails at reloads that are good",
    instead: ({ url, isProbe }) =>
      !isProbe && /^\/-\/(?:healthy|ready)$/.test(url.pathname) ? { status: 503, contentType: "text/plain", text: "" } : undefined,
    answer: (shown, ask) => (isReload(ask) && !ask.isProbe && shown.status === 200 ? { ...shown, status: 500 } : shown),
  },
  deaf: { about: "answers reloads well and does nothing", instead: (ask) => (isReload(ask) || isQuit(ask) ? page("") : undefined) },
  open: {
    about: "has its life cycle API without the flag",
    isOpen: true,
    answer: (shown, ask) => (isReload(ask) && !ask.hasLifecycle ? { ...shown, status: 200 } : shown),
  },
  quitting: { about: "ends without the flag", isOpen: true },
  spoiled: { about: "forgets its configuration when a reload fails, and does not say why", isSpoiled: true },
  shapeless: {
    about: "shows texts as numbers, numbers and others as texts",
    answer: inJson(
      deep((value) => (typeof value === "string" ? 7 : value === true ? "yes" : value === false ? "no" : `${value as number} of it`)),
    ),
  },
  listless: {
    about: "has no lists",
    answer: inJson((data) =>
      Array.isArray(data)
        ? {}
        : Object.fromEntries(Object.entries((data ?? {}) as object).map(([name, one]) => [name, Array.isArray(one) ? undefined : one])),
    ),
  },
  unfiltered: {
    about: "ignores parameters",
    ask: (ask) => {
      if (!ask.isProbe && /\/(?:tsdb|targets|metadata)$/.test(ask.url.pathname)) ask.url.search = "";
    },
  },
  emptied: { about: "has empty lists", answer: inJson(deepLists()) },
  unknowing: {
    about: "says nothing of what it knows, in the right form",
    answer: inJson(
      deep((value) => (typeof value === "string" ? "" : typeof value === "number" ? -1 : value === undefined ? value : value === false)),
    ),
  },
  mistaken: {
    about: "shows targets as others",
    answer: onTargets(({ health, lastError, labels, discoveredLabels, ...target }) => ({
      ...target,
      labels: discoveredLabels,
      discoveredLabels: labels,
      health: health === "up" ? "down" : "up",
      lastError: lastError === "" ? "wrong" : "",
      scrapeUrl: "http://elsewhere/",
      scrapePool: `other ${String(target["scrapePool"])}`,
    })),
  },
  untyped: {
    about: "shows targets without what belongs to them",
    answer: onTargets(({ scrapePool, discoveredLabels }) => ({
      scrapePool,
      discoveredLabels: { ...(discoveredLabels as object), zone: "z" },
      labels: [],
    })),
  },
  backwards: {
    about: "shows times in the wrong order, other counts, and names in another case",
    answer: inJson((data) => {
      const text = JSON.stringify(data ?? null)
        .replace(/"minTime":(-?\d+)/, '"minTime":9e99')
        .replaceAll(/"value":\d+/g, '"value":5')
        .replaceAll(/"([a-z]+)_([a-z])/g, (_, a: string, b: string) => `"${a}-${b}`);
      return JSON.parse(text) as unknown;
    }),
  },
  silent: { about: "does nothing", isSilent: true },
};

/** Empties every list below an answer. */
function deepLists(): Change {
  const change: Change = (value) =>
    Array.isArray(value)
      ? []
      : typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one)]))
        : value;
  return change;
}
