import { made } from "./phrases.ts";

/** Names, as the libraries advise. */

export const cases = [
  made({
    id: "naming-snake-case",
    covers: "naming.metrics/snake-case",
    level: "SHOULD",
    title: "Names of metrics are in lower snake case.",
    steps: [{ accept: "text" }],
    needs: ["text"],
    see: ["snake-case"],
  }),
  made({
    id: "naming-label-snake-case",
    covers: "naming.metrics/snake-case",
    level: "SHOULD",
    title: "Names of labels are in lower snake case.",
    steps: [{ accept: "text" }],
    needs: ["text"],
    see: ["label-snake-case"],
  }),
  made({
    id: "naming-counter-total",
    covers: "naming.metrics/total",
    level: "SHOULD",
    title: "Counters of the text format end with _total.",
    steps: [{ accept: "text" }],
    needs: ["text-counter"],
    see: ["counter-is-total"],
  }),
  made({
    id: "naming-total-counter",
    covers: "naming.metrics/total",
    level: "SHOULD",
    title: "Only counters end with _total.",
    steps: [{ accept: "text" }],
    needs: ["text"],
    see: ["total-is-counter"],
  }),
  made({
    id: "naming-base-units",
    covers: "naming.metrics/base-units",
    level: "SHOULD",
    title: "Units in names of the text format are base units.",
    steps: [{ accept: "text" }],
    needs: ["text"],
    see: ["base-units"],
  }),
  made({
    id: "naming-no-colons",
    covers: "naming.metrics/colons",
    level: "SHOULD",
    title: "Names of the text format have no colon.",
    steps: [{ accept: "text" }],
    needs: ["text"],
    see: ["no-colons"],
  }),
];
