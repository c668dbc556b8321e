import type { MethodNode, OptionNode, ServiceNode, Word } from "../syntax.ts";
import type { Comments } from "./comments.ts";
import type { Cursor } from "./cursor.ts";
import { parseOption } from "./options.ts";

/** A service after its first word. */
export function parseService(cursor: Cursor, before: Comments): ServiceNode {
  const name = cursor.name("the name of a service");
  cursor.expect("{");
  const comments = cursor.withTrailing(before);
  const methods: MethodNode[] = [];
  const options: OptionNode[] = [];
  while (!cursor.take("}")) {
    if (cursor.take(";")) continue;
    const leading = cursor.leading();
    if (cursor.take("option")) options.push(parseOption(cursor));
    else if (cursor.take("rpc")) methods.push(parseMethod(cursor, leading));
    else throw cursor.unexpected('"rpc", "option" or "}"');
  }
  return { name, comments, options, methods };
}

function parseMethod(cursor: Cursor, before: Comments): MethodNode {
  const name = cursor.name("the name of a method");
  const request = parseMessages(cursor);
  cursor.expect("returns");
  const response = parseMessages(cursor);
  const options: OptionNode[] = [];
  let comments = before;
  if (cursor.take("{")) {
    comments = cursor.withTrailing(before);
    while (!cursor.take("}")) {
      if (cursor.take(";")) continue;
      if (!cursor.take("option")) throw cursor.unexpected('"option" or "}"');
      options.push(parseOption(cursor));
    }
  } else {
    cursor.expect(";");
    comments = cursor.withTrailing(before);
  }
  return {
    name,
    comments,
    options,
    request: request.type,
    response: response.type,
    requestStream: request.isStream,
    responseStream: response.isStream,
  };
}

/** `(stream Type)`. */
function parseMessages(cursor: Cursor): { type: Word; isStream: boolean } {
  cursor.expect("(");
  const { place } = cursor;
  let isStream = cursor.take("stream");
  let type: Word;
  if (isStream && (cursor.isAhead(")") || cursor.isAhead("."))) {
    // It is the name of a message or of a package.
    isStream = false;
    type = { text: cursor.take(".") ? `stream.${cursor.dotted("the name of a message", false).text}` : "stream", place };
  } else type = cursor.dotted("the name of a message", true);
  cursor.expect(")");
  return { type, isStream };
}
