import {
  expand,
  NOTIFICATION_FUNCTIONS,
  parseTemplate,
  printed,
  type Template,
  TemplateFault,
  type Value,
} from "../../../metrics/rules/index.ts";
import { htmlOf } from "../../../metrics/router/index.ts";
import { DEFAULT_TEMPLATES } from "./default-templates.ts";

type Bodies = Template["defined"];

/** The templates of a router: the built-in ones, and those of files, of which the last one of a name counts. */
export class Templates {
  readonly #bodies: Bodies;
  readonly #externalUrl: string;
  readonly #parsed = new Map<string, Template>();

  /** Throws `TemplateFault`. */
  constructor(texts: readonly string[], externalUrl: string) {
    this.#externalUrl = externalUrl;
    this.#bodies = new Map([DEFAULT_TEMPLATES, ...texts].flatMap((text) => [...parseTemplate(text, [], NOTIFICATION_FUNCTIONS).defined]));
  }

  /** Expands a text. Throws `TemplateFault`. */
  expand(text: string, dot: Value, { now, isHtml = false }: { readonly now: number; readonly isHtml?: boolean }): string {
    let template = this.#parsed.get(text);
    if (template === undefined) {
      const own = parseTemplate(text, [], NOTIFICATION_FUNCTIONS);
      this.#parsed.set(text, (template = { body: own.body, defined: new Map([...this.#bodies, ...own.defined]) }));
    }
    const work = expand(template, {
      dot,
      variables: {},
      nowMs: now,
      externalUrl: this.#externalUrl,
      isNotification: true,
      // oxlint-disable-next-line require-yield -- no template of notifications can call it
      query: function* query() {
        throw new TemplateFault("query is not for notifications");
      },
      ...(isHtml && { printed: htmlOf(printed) }),
    });
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
    }
  }
}
