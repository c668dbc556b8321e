import { cancel, instructions, type QpackSource, section, valid } from "./craft.ts";

/** The examples of the specification: one exchange, shown after each of its parts. */
const B1 = section(0, "0000510b2f696e6465782e68746d6c");
const B2 = [instructions("3fbd01c00f7777772e6578616d706c652e636f6d", "c10c2f73616d706c652f70617468"), section(4, "03811011")];
const B3 = instructions("4a637573746f6d2d6b65790c637573746f6d2d76616c7565");
const B4 = [section(8, "050080c181"), cancel(8), instructions("02")];
const B5 = instructions("810d637573746f6d2d76616c756532");
const INDEX = [0, [":path", "/index.html"]] as const;
const SAMPLE = [4, [":authority", "www.example.com"], [":path", "/sample/path"]] as const;
const SAID = [["acknowledgment", 4]] as const;
const rules = ["rfc9204#4.5.4/name-reference", "rfc9204#4.5.3/post-base", "rfc9204#2.2.2.1/acknowledges"] as const;

export const source: QpackSource = {
  about: "The examples of the specification",
  spec: "rfc9204#B",
  flags: { Example: { why: "an example of the specification", bug: "BASICS" } },
  vectors: [
    valid({ note: "literal with name reference (B.1)", rules: [rules[0]], flag: "Example", steps: [B1], gives: [INDEX] }),
    valid({
      note: "entries that a section refers to after its base (B.2)",
      rules: [rules[1], rules[2]],
      flag: "Example",
      steps: [B1, ...B2],
      gives: [INDEX, SAMPLE],
      said: SAID,
      required: [2],
      inserted: 2,
    }),
    valid({
      note: "an entry that no section refers to (B.3)",
      rules: ["rfc9204#4.3.3/literal-name", "rfc9204#4.4.3/all-so-far"],
      flag: "Example",
      steps: [B1, ...B2, B3],
      gives: [INDEX, SAMPLE],
      said: SAID,
      required: [2],
      inserted: 3,
    }),
    valid({
      note: "a blocked section that is given up before its insertion comes (B.4)",
      rules: ["rfc9204#2.2.2.2/cancels", "rfc9204#4.3.4/duplicate"],
      flag: "Example",
      steps: [B1, ...B2, B3, ...B4],
      gives: [INDEX, SAMPLE],
      said: [...SAID, ["cancellation", 8]],
      required: [2],
      inserted: 4,
    }),
    valid({
      note: "an insertion that evicts (B.5)",
      rules: ["rfc9204#3.2.2/evict-for-room", "rfc9204#4.3.2/name-reference"],
      flag: "Example",
      steps: [B1, ...B2, B3, ...B4, B5, section(12, "04028283")],
      gives: [INDEX, SAMPLE, [12, ["custom-key", "custom-value"], [":path", "/sample/path"]]],
      said: [...SAID, ["cancellation", 8], ["acknowledgment", 12]],
      required: [2, 3],
      inserted: 5,
    }),
  ],
};
