// The form of filters. What it says is in the address (`#verdict=fail&section=…`), so that a view can be sent to somebody.

/** The filters of a form: `read()` says what is wanted, and `changed` is called after each change. */
export function filtersOf(form, { changed, home }) {
  const boxes = () => [...form.querySelectorAll("input[name=verdict]")];
  const fields = () => [...form.querySelectorAll("select, input[type=search]")];
  const standard = (field) => field.dataset.standard ?? "";

  const clear = () => {
    for (const box of boxes()) box.checked = false;
    for (const field of fields()) field.value = standard(field);
  };
  const read = () => ({
    verdicts: new Set(
      boxes()
        .filter((box) => box.checked)
        .map((box) => box.value),
    ),
    ...Object.fromEntries(fields().map((field) => [field.name, field.value])),
  });
  const remember = () => {
    const state = new URLSearchParams();
    for (const box of boxes()) if (box.checked) state.append("verdict", box.value);
    for (const field of fields()) if (field.value !== standard(field)) state.set(field.name, field.value);
    history.replaceState(null, "", state.size > 0 ? `#${state}` : home);
  };
  /** Puts an address into the form. A value that a field does not offer leaves its standard. */
  const adopt = (state) => {
    clear();
    for (const box of boxes()) box.checked = state.getAll("verdict").includes(box.value);
    for (const field of fields()) {
      const value = state.get(field.name);
      if (value === null) continue;
      field.value = value;
      if (field.value !== value) field.value = standard(field);
    }
  };

  form.addEventListener("input", () => {
    changed();
    remember();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  return { clear, read, remember, adopt };
}

/** The words that all have to occur. */
export const termsOf = (text) => (text ?? "").toLowerCase().split(/\s+/).filter(Boolean);

/** Fills a select element: `[value, words]`, or `[label, [[value, words], …]]` for a group. */
export function options(select, entries) {
  const option = ([value, words]) => new Option(words, value);
  select.replaceChildren(
    ...entries.map(([first, second]) => {
      if (!Array.isArray(second)) return option([first, second]);
      const group = document.createElement("optgroup");
      group.label = first;
      group.append(...second.map(option));
      return group;
    }),
  );
  select.value = select.dataset.standard ?? "";
}
