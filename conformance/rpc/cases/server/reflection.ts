import { SERVICE } from "../../../wire/rpc/contract.ts";
import type { Fact, MessageFields, MessageSpec, Sight, Step } from "../../vocabulary.ts";
import { call, end, lastly, type Row, say } from "./phrases.ts";

/** Server reflection: the same cases for both names of the service. */

const VERSIONS = [
  ["v1", "reflection", "reflection"],
  ["v1alpha", "reflection-v1alpha", "reflection-v1alpha"],
] as const;

const PACKAGE = SERVICE.slice(0, SERVICE.lastIndexOf("."));
const NOT_FOUND = 5;
/** The package of `vectors/rpc/extensions.proto`, and what it declares. */
const EXTENSIONS = "touchstone.extensions.v1";
const EXTENDED = `${EXTENSIONS}.Extended`;
const [NOTE, INSIDE, UNUSED] = [100, 110, 101];

/** Questions, by the field of their kind. */
const FILE = 3;
const SYMBOL = 4;
const EXTENSION = 5;
const NUMBERS = 6;
const SERVICES = 7;
const asking = (kind: number, value: string): MessageSpec => ({ fields: [[kind, value]] });
const askingExtension = (message: string, number: number): MessageSpec => ({
  fields: [
    [
      EXTENSION,
      [
        [1, message],
        [2, number],
      ],
    ],
  ],
});

/** Places in an answer; those in files begin with `FILES`. */
const HOST = 1;
const ORIGINAL = 2;
const FILES = [4, 1];
const BASE_TYPE = [5, 1];
const LISTED = [6, 1, 1];
const NUMBERED = [5, 2];
/** Both numbers, packed or one by one, in either order. */
const NUMBERED_BY = [
  [NOTE, INSIDE],
  [INSIDE, NOTE],
].flatMap((numbers): Fact[] => [
  { at: NUMBERED, are: numbers },
  { at: NUMBERED, are: [String.fromCharCode(...numbers)] },
]);
const ERROR = [7, 1];
const NAME = [...FILES, 1];
const IMPORTS = [...FILES, 3];
const inFile = (...at: number[]): number[] => [...FILES, ...at];

/** The file of the conformance service is among those of the answer. */
const OF_SERVICE: readonly Fact[] = [
  { at: inFile(2), include: PACKAGE },
  { at: inFile(6, 1), include: "Conformance" },
];
/** The file of the extensions is. */
const OF_EXTENSIONS: readonly Fact[] = [
  { at: inFile(2), include: EXTENSIONS },
  { at: inFile(7, 1), include: "note" },
  { at: inFile(4, 6, 1), include: "numbers" },
];
const original = (kind: number, value: string): Fact => ({ at: [ORIGINAL, kind], are: [value] });
const says = (...says: (readonly Fact[])[]): Sight => ({ see: "answer", call: 1, says });

function of([version, feature, word]: (typeof VERSIONS)[number]): Row[] {
  const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`;
  const begin = (number = 1): Step => call(number, { path });
  const row = (
    [id, title, covers]: readonly [id: string, title: string, covers: Row["covers"]],
    questions: readonly MessageSpec[],
    allowed: Row["allowed"],
    more: Pick<Row, "level" | "needs"> = {},
  ): Row => ({
    id: `${word}-${id}`,
    title: `${title.slice(0, -1)} (${version}).`,
    covers,
    needs: [feature],
    steps: [begin(), lastly(1, questions)],
    allowed,
    ...more,
  });
  const symbol = (id: string, what: string, name: string, covers: Row["covers"] = "rpc-reflection#queries/symbol"): Row =>
    row(
      [`symbol-${id}`, `The question for ${what} is answered with the file that declares it.`, covers],
      [asking(SYMBOL, name)],
      says(OF_SERVICE),
    );
  const inner = "rpc-reflection#queries/inner-symbol";
  const extended = [feature, "described-extensions"];
  const missing = (id: string, what: string, question: MessageSpec, needs: readonly string[] = [feature]): Row =>
    row(
      [
        id,
        `The question for ${what} that is not there is answered with the error NOT_FOUND.`,
        ["rpc-reflection#queries/not-found", "rpc-reflection#queries/error"],
      ],
      [question],
      says([
        { at: ERROR, are: [NOT_FOUND] },
        { at: FILES, are: [] },
      ]),
      { needs },
    );
  const extension = (id: string, what: string, number: number): Row =>
    row(
      [id, `The question for ${what} is answered with the file that declares it.`, "rpc-reflection#queries/extension"],
      [askingExtension(EXTENDED, number)],
      says(OF_EXTENSIONS),
      { needs: extended },
    );
  return [
    row(
      [
        "services",
        "The list of services has the service of the suite.",
        ["rpc-reflection#queries/services", `rpc-reflection#names/${version}`],
      ],
      [asking(SERVICES, "*")],
      says([{ at: LISTED, include: SERVICE }]),
    ),
    row(
      ["services-any-content", "The content of the question for services does not matter.", "rpc-reflection#queries/services"],
      [asking(SERVICES, "nothing.like.it")],
      says([{ at: LISTED, include: SERVICE }]),
    ),
    symbol("service", "a service", SERVICE),
    symbol("method", "a method", `${SERVICE}.BidiStream`, "rpc-reflection#queries/method"),
    symbol("message", "a message", `${PACKAGE}.Request`),
    symbol("field", "a field", `${PACKAGE}.Plan.delay_ms`, inner),
    symbol("enum", "an enum", `${PACKAGE}.Compression`, inner),
    symbol("value", "a value of an enum", `${PACKAGE}.CANCELLED`, inner),
    missing("symbol-unknown", "a symbol", asking(SYMBOL, `${PACKAGE}.NoSuchThing`)),
    missing("symbol-prefix", "the beginning of a symbol", asking(SYMBOL, SERVICE.slice(0, -1))),
    missing("file-unknown", "a file", asking(FILE, "no/such/file.proto")),
    missing("extension-unknown", "an extension", askingExtension(`${PACKAGE}.Request`, NOTE)),
    missing("extension-number-unused", "an extension of a message with others", askingExtension(EXTENDED, UNUSED), extended),
    extension("extension", "an extension", NOTE),
    extension("extension-inside", "an extension that is declared inside another message", INSIDE),
    row(
      ["symbol-extension", "The question for an extension by its name is answered with the file that declares it.", inner],
      [asking(SYMBOL, `${EXTENSIONS}.note`)],
      says(OF_EXTENSIONS),
      { needs: extended },
    ),
    {
      id: `${word}-file`,
      title: `The question for a file by its name is answered with that file (${version}).`,
      covers: "rpc-reflection#queries/file",
      needs: [feature],
      steps: [
        begin(),
        lastly(1, [asking(SYMBOL, SERVICE)]),
        { do: "await", see: { see: "messages", call: 1, count: 1 } },
        { do: "keep", as: "file", call: 1, at: NAME },
        begin(3),
        lastly(3, [{ fields: [[FILE, { kept: "file" }]] }]),
      ],
      allowed: { see: "answer", call: 3, says: [[{ at: NAME, are: [{ kept: "file" }] }, ...OF_SERVICE]] },
    },
    row(
      ["imports", "A file comes with all that it imports.", "rpc-reflection#dependencies/transitive"],
      [asking(SYMBOL, "grpc.channelz.v1.Channelz")],
      says([
        { at: IMPORTS, among: NAME, count: [1, 100] },
        { at: inFile(6, 1), include: "Channelz" },
      ]),
      { needs: [feature, "described-channelz"] },
    ),
    row(
      [
        "extension-numbers",
        "The question for the extensions of a message that has none is answered with no numbers.",
        "rpc-reflection#queries/extensions",
      ],
      [asking(NUMBERS, `${PACKAGE}.Request`)],
      [
        {
          see: says([
            { at: BASE_TYPE, are: [`${PACKAGE}.Request`] },
            { at: NUMBERED, are: [] },
          ]),
        },
        // Its best effort may be none.
        { see: says([{ at: ERROR, from: 1 }]), by: "rpc-reflection#queries" },
      ],
    ),
    row(
      [
        "extension-numbers-known",
        "The question for the extensions of a message is answered with all of them, wherever they are declared.",
        "rpc-reflection#queries/extensions",
      ],
      [asking(NUMBERS, EXTENDED)],
      [
        { see: { see: "any", of: NUMBERED_BY.map((numbers) => says([{ at: BASE_TYPE, are: [EXTENDED] }, numbers])) } },
        // Its best effort may be none.
        { see: says([{ at: ERROR, from: 1 }]), by: "rpc-reflection#queries" },
      ],
      { needs: extended },
    ),
    row(
      ["original", "An answer has the question that it answers.", "rpc-reflection#queries/original"],
      [asking(SYMBOL, SERVICE)],
      says([original(SYMBOL, SERVICE)]),
    ),
    row(
      ["original-of-error", "An error has the question that it answers.", "rpc-reflection#queries/original"],
      [asking(FILE, "no/such/file.proto")],
      says([original(FILE, "no/such/file.proto"), { at: ERROR, from: 1 }]),
    ),
    row(
      ["host", "An answer has the host that the question names.", "rpc-reflection#queries/original"],
      [
        {
          fields: [
            [1, "example.test"],
            [SERVICES, ""],
          ] satisfies MessageFields,
        },
      ],
      says([
        { at: [HOST], are: ["example.test"] },
        { at: [ORIGINAL, 1], are: ["example.test"] },
      ]),
      { level: "SHOULD" },
    ),
    row(
      ["in-turn", "Several questions of a stream have one answer each, in their order.", "rpc-reflection#stream/in-turn"],
      [asking(SERVICES, ""), asking(SYMBOL, SERVICE), asking(FILE, "no/such/file.proto"), asking(SERVICES, "")],
      says(
        [{ at: LISTED, include: SERVICE }],
        [original(SYMBOL, SERVICE), ...OF_SERVICE],
        [{ at: ERROR, from: 1 }],
        [{ at: LISTED, include: SERVICE }],
      ),
    ),
    {
      id: `${word}-goes-on-after-error`,
      title: `A stream goes on after an error, and each answer comes before the next question (${version}).`,
      covers: ["rpc-reflection#stream/in-turn", "rpc-reflection#queries/error"],
      needs: [feature],
      steps: [
        begin(),
        say(1, [asking(SYMBOL, `${PACKAGE}.NoSuchThing`)]),
        { do: "await", see: { see: "messages", call: 1, count: 1 } },
        say(1, [asking(SYMBOL, SERVICE)]),
        { do: "await", see: { see: "messages", call: 1, count: 2 } },
        end(1),
      ],
      allowed: says([{ at: ERROR, from: 1 }], OF_SERVICE),
    },
    {
      id: `${word}-no-question`,
      title: `A stream without questions ends with OK and no answer (${version}).`,
      covers: "rpc-reflection#stream/in-turn",
      needs: [feature],
      steps: [begin(), end(1)],
      allowed: { see: "answer", call: 1, says: [] },
    },
  ];
}

export const rows: readonly Row[] = VERSIONS.flatMap(of);
