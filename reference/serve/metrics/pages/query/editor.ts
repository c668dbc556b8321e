import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, insertNewlineAndIndent } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorState, Prec } from "@codemirror/state";
import { EditorView, keymap, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { PromQLExtension } from "@prometheus-io/codemirror-promql";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { html } from "../html.ts";

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: "var(--syntax-word)" },
  { tag: [tags.function(tags.variableName)], color: "var(--syntax-call)" },
  { tag: tags.labelName, color: "var(--syntax-label)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--syntax-text)" },
  { tag: tags.number, color: "var(--syntax-number)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: tags.invalid, color: "var(--bad)" },
]);

const THEME = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--field)", fontSize: "1rem" },
  "&.cm-focused": { outline: "2px solid var(--link)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)", padding: "0.5rem 0.25rem" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection) !important" },
  ".cm-placeholder": { color: "var(--soft)" },
  ".cm-matchingBracket": { outline: "1px solid var(--soft)", backgroundColor: "transparent !important" },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--rule)",
    borderRadius: "4px",
    maxWidth: "92vw",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "0.875rem", maxHeight: "16rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--link)", color: "var(--paper)" },
  ".cm-completionDetail": { color: "inherit", fontStyle: "italic" },
  ".cm-completionIcon": { display: "none" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "bold" },
  ".cm-completionInfo": { padding: "0.5rem", maxWidth: "20rem" },
  // On a phone it would cover the list.
  "@media (max-width: 44rem)": { ".cm-tooltip.cm-completionInfo": { display: "none" } },
  ".cm-diagnostic": { fontFamily: "var(--mono)", fontSize: "0.875rem" },
});

type EditorProps = {
  readonly name: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onRun: () => void;
};

/** The editor of an expression: colours, what is wrong with it, and completion by the names that the server has. Enter runs it, Shift+Enter begins a line. */
export function Editor({ name, text, onChange, onRun }: EditorProps): VNode {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  // The editor outlives the functions of one rendering.
  const act = useRef({ onChange, onRun });
  act.current = { onChange, onRun };
  useEffect(() => {
    const element = host.current!;
    // In a shadow tree the editor adopts style sheets; in the document it would write style elements, which the policy forbids.
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open", delegatesFocus: true });
    const editor = new EditorView({ parent: root as unknown as Element, root, state: stateOf(name, text, act) });
    view.current = editor;
    return () => editor.destroy();
  }, [name]);
  useEffect(() => {
    const editor = view.current;
    if (editor !== undefined && editor.state.doc.toString() !== text)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);
  return html`<div class="editor" ref=${host}></div>`;
}

/**
 * Typing over selected text. The browser would keep the look of that text by a style attribute, which the policy forbids and reports, so the
 * editor replaces the text itself.
 */
const REPLACING = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main } = view.state.selection;
    const { data, inputType } = event;
    if (inputType !== "insertText" || data === null || main.empty || view.composing) return false;
    const replaced = () => view.state.update(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, main.from, main.to, data, replaced))) view.dispatch(replaced());
    return true;
  },
});

function stateOf(name: string, text: string, act: { readonly current: { onChange(text: string): void; onRun(): void } }): EditorState {
  const language = new PromQLExtension().setComplete({ remote: { url: "", apiPrefix: "api/v1", httpMethod: "POST" } });
  return EditorState.create({
    doc: text,
    extensions: [
      history(),
      bracketMatching(),
      closeBrackets(),
      autocompletion({ icons: false }),
      syntaxHighlighting(COLOURS),
      language.asExtension(),
      EditorView.lineWrapping,
      placeholder("Expression, such as rate(requests_total[5m])"),
      // Completion takes Enter first while it shows a list.
      Prec.high(
        keymap.of([
          { key: "Enter", run: () => (act.current.onRun(), true) },
          { key: "Shift-Enter", run: insertNewlineAndIndent },
        ]),
      ),
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
      EditorView.contentAttributes.of({ "aria-label": name, autocapitalize: "off", spellcheck: "false" }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) act.current.onChange(state.doc.toString());
      }),
      REPLACING,
      THEME,
    ],
  });
}
