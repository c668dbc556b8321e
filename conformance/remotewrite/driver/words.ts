import type { Counts, Sight } from "../vocabulary.ts";

const counted = ({ samples, histograms, exemplars }: Counts): string =>
  `${samples} samples, ${histograms} histograms${exemplars === undefined ? "" : ` and ${exemplars} exemplars`} written`;

/** A sight in words. */
export function sightInWords(see: Sight): string {
  switch (see.see) {
    case "written":
      return `${see.status ?? "2xx"}${see.isEmpty === true ? " without content" : ""}${see.counts === undefined ? "" : `, ${counted(see.counts)}`}`;
    case "refused": {
      const says = see.says === true ? " with a message" : "";
      return `${see.status ?? "4xx"}${says}${see.counts === undefined ? "" : `, ${see.counts.map(counted).join(", or ")}`}`;
    }
    case "stored":
      return `a query shows ${see.values.length === 0 ? "nothing" : see.values.map((one) => one.join(" ")).join("; ")}`;
    case "all":
      return see.of.map(sightInWords).join(", and ");
  }
}
