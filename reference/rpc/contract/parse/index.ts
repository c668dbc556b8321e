import type { Problem } from "../place.ts";
import type { EnumNode, ExtendNode, FileNode, ImportNode, MessageNode, OptionNode, ServiceNode, Syntax } from "../syntax.ts";
import { NO_COMMENTS } from "./comments.ts";
import { Cursor } from "./cursor.ts";
import { parseEnum } from "./enum.ts";
import { parseExtend, parseMessage, parseVisibility } from "./message.ts";
import { parseOption } from "./options.ts";
import { parseService } from "./service.ts";
import { SyntaxProblem } from "./syntax-problem.ts";

/** Parses the text of one file. The first place at which it is not a contract is its problem. */
export function parseContract(file: string, text: string, nesting: number): FileNode | Problem {
  try {
    return parseFile(new Cursor(file, text, nesting), file);
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    return { ...error.place, rule: "syntax", message: error.message };
  }
}

const EDITIONS: ReadonlySet<string> = new Set(["2023", "2024"]);

function parseFile(cursor: Cursor, path: string): FileNode {
  const declared = parseSyntax(cursor);
  const { syntax } = declared;
  let pack: FileNode["package"];
  const imports: ImportNode[] = [];
  const options: OptionNode[] = [];
  const messages: MessageNode[] = [];
  const enums: EnumNode[] = [];
  const extensions: ExtendNode[] = [];
  const services: ServiceNode[] = [];
  while (!cursor.isAtEnd) {
    if (cursor.take(";")) continue;
    const before = cursor.leading();
    const { place } = cursor;
    const visibility = parseVisibility(cursor, syntax);
    if (cursor.take("message")) messages.push(parseMessage(cursor, syntax, before, visibility));
    else if (cursor.take("enum")) enums.push(parseEnum(cursor, syntax, before, visibility));
    else if (visibility !== undefined) throw cursor.unexpected('"message" or "enum"');
    else if (cursor.take("service")) services.push(parseService(cursor, before));
    else if (cursor.take("extend")) extensions.push(parseExtend(cursor, syntax, { messages }));
    else if (cursor.take("option")) options.push(parseOption(cursor));
    else if (cursor.take("import")) imports.push(parseImport(cursor, syntax));
    else if (cursor.take("package")) {
      if (pack !== undefined) throw new SyntaxProblem(place, "A file has one package.");
      const { text } = cursor.dotted("the name of a package", false);
      cursor.expect(";");
      pack = { text, place, comments: cursor.withTrailing(before) };
    } else if (cursor.isAhead("syntax") || cursor.isAhead("edition"))
      throw new SyntaxProblem(
        place,
        declared.syntaxPlace === undefined ? "The syntax is declared before everything else." : "A file has one declaration of its syntax.",
      );
    else throw cursor.unexpected("a message, an enum, a service, an import, an option, a package or an extension");
  }
  return { path, ...declared, package: pack, imports, options, messages, enums, extends: extensions, services };
}

/** `syntax = "proto3";` or `edition = "2023";`, if it is ahead. */
function parseSyntax(cursor: Cursor): Pick<FileNode, "syntax" | "edition" | "syntaxPlace" | "syntaxComments"> {
  while (cursor.take(";"));
  const { place } = cursor;
  const comments = cursor.leading();
  const isEdition = cursor.take("edition");
  if (!isEdition && !cursor.take("syntax"))
    return { syntax: "proto2", edition: undefined, syntaxPlace: undefined, syntaxComments: NO_COMMENTS };
  cursor.expect("=");
  const { text, place: at } = cursor.string(isEdition ? "an edition" : "a syntax");
  cursor.expect(";");
  const known = isEdition ? EDITIONS.has(text) : text === "proto2" || text === "proto3";
  if (!known)
    throw new SyntaxProblem(
      at,
      isEdition
        ? `The edition "${text}" is not known: ${[...EDITIONS].join(" and ")} are.`
        : `The syntax "${text}" is not known: "proto2" and "proto3" are.`,
    );
  const syntax: Syntax = isEdition ? "editions" : text === "proto3" ? "proto3" : "proto2";
  return { syntax, edition: isEdition ? text : undefined, syntaxPlace: place, syntaxComments: cursor.withTrailing(comments) };
}

function parseImport(cursor: Cursor, syntax: Syntax): ImportNode {
  let kind: ImportNode["kind"] = "plain";
  if (cursor.take("public")) kind = "public";
  else if (cursor.take("weak")) kind = "weak";
  else if (syntax === "editions" && cursor.take("option")) kind = "option";
  const path = cursor.string("the path of a file");
  cursor.expect(";");
  return { path, kind };
}
