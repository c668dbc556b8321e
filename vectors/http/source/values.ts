import { accepted, invalid, pairs, refused, type Source, valid } from "./craft.ts";

const LENGTH = "rfc9110#8.6";
const LIST = "rfc9110#5.6.1";
const EXTENSION = "rfc9112#7.1.1";
const PRIORITY = "rfc9218#4";
const usual = { urgency: 3, incremental: false };

export const source: Source = {
  about: "Field values: lengths, lists of tokens, parameters, white space, priorities",
  spec: "rfc9110#5.6",
  flags: {
    Length: { why: "decimal digits", bug: "TOO_STRICT" },
    NotALength: { why: "a sign, white space, another base, or no digit", bug: "MISSING_CHECK" },
    Huge: { why: "a number that some types do not hold", bug: "OVERFLOW" },
    List: { why: "tokens in a list, in any case, with empty members to ignore", bug: "MISREAD_VALUE" },
    NotAList: { why: "a member that is not a token", bug: "MISSING_CHECK" },
    Parameters: { why: "names with or without a value", bug: "TOO_STRICT" },
    NotParameters: { why: "a part is missing, or one too many", bug: "MISSING_CHECK" },
    Space: { why: "only spaces and tabs are optional white space", bug: "MISREAD_VALUE" },
    Priority: { why: "the keys u and i of a dictionary", bug: "MISREAD_VALUE" },
    Ignored: { why: "a member or value that is to be ignored", bug: "MISREAD_VALUE" },
    Written: { why: "a priority as it is sent", bug: "WRONG_FORMAT" },
  },
  vectors: [
    valid({
      note: "lengths",
      spec: LENGTH,
      element: "content-length",
      ...pairs([["0", 0], ["1", 1], ["9", 9], ["10", 10], ["00", 0], ["007", 7], ["65536", 65_536], ["4294967296", 4_294_967_296], ["1234567890", 1_234_567_890]]),
      flags: ["Length"],
    }),
    valid({ note: "the largest length of 15 digits", spec: LENGTH, element: "content-length", ...pairs([["999999999999999", 999_999_999_999_999]]), flags: ["Huge"] }),
    refused({ note: "a length of 16 digits and more", spec: LENGTH, element: "content-length", texts: ["1000000000000000", "9007199254740993", "18446744073709551616"], flags: ["Huge"] }),
    invalid({
      note: "not a length",
      spec: LENGTH,
      element: "content-length",
      texts: ["", " ", "-1", "+1", " 1", "1 ", "1\t", "1.0", "1e3", "0x1", "1,1", "1_0", "/", "1/", ":", "1:", "/1", ":1", "\xb2", "a", "f"],
      flags: ["NotALength"],
    }),

    valid({
      note: "lists of tokens",
      spec: LIST,
      element: "token-list",
      ...pairs([
        ["a", ["a"]],
        ["a,b", ["a", "b"]],
        ["a, b", ["a", "b"]],
        ["a \t,\t b", ["a", "b"]],
        ["A, Keep-Alive", ["a", "keep-alive"]],
        ["a, a", ["a", "a"]],
        ["x-1!#$%&'*+-.^_`|~", ["x-1!#$%&'*+-.^_`|~"]],
      ]),
      flags: ["List"],
    }),
    valid({ note: "empty members", spec: "rfc9110#5.6.1.2", element: "token-list", ...pairs([["", []], [",", []], [" , ,\t,", []], ["a,", ["a"]], [",a", ["a"]], ["a,,b", ["a", "b"]], ["a, ,b,", ["a", "b"]]]), flags: ["List"] }),
    invalid({ note: "a member that is not a token", spec: LIST, element: "token-list", texts: ["a b", "a=1", '"a"', "a;b", "a, b c", "a/1, b", "\xe9", "a, b\x0b", "a\0"], flags: ["NotAList"] }),

    valid({
      note: "parameters",
      spec: EXTENSION,
      element: "parameters",
      texts: ["", ";a", ";a=b", ";a;b", ";a=b;c=d", '; a = "b"', ' ;\ta\t=\t"b;c\\"d" ; e', ';a=""', ';a="\\\\"', ';a="\t \x80\xff!#[]~"', ";!#$%&'*+-.^_`|~=09AZaz"],
      flags: ["Parameters"],
    }),
    invalid({
      note: "not parameters",
      spec: EXTENSION,
      element: "parameters",
      texts: ["a", ";", ";;", ";a;", ";=b", ";a=", ";a=;b", ";a b", ';a="b', ";a='b c'", ';a="b"c', ';a="b\\"', ';a="\0"', ';a="\x7f"', ";a=b=c", ";a,b", ";a\0", " ", ";a "],
      flags: ["NotParameters"],
    }),

    valid({
      note: "white space around a value",
      spec: "rfc9110#5.6.3",
      element: "trimmed",
      ...pairs([["a", "a"], [" a", "a"], ["a ", "a"], ["\t a b \t", "a b"], ["", ""], [" ", ""], [" \t ", ""], ["\x0ba\x0c", "\x0ba\x0c"], ["\xa0a\xa0", "\xa0a\xa0"], ["\x85 a", "\x85 a"], ["\ra\n", "\ra\n"]]),
      flags: ["Space"],
    }),

    valid({
      note: "priorities",
      spec: PRIORITY,
      element: "priority",
      ...pairs([
        ...[0, 1, 2, 3, 4, 5, 6, 7].flatMap((urgency) => [
          [`u=${urgency}`, { urgency, incremental: false }] as const,
          [`u=${urgency}, i`, { urgency, incremental: true }] as const,
          [`u=${urgency},i`, { urgency, incremental: true }] as const,
          [`i, u=${urgency}`, { urgency, incremental: true }] as const,
          [`u=${urgency};a=1, i=?0`, { urgency, incremental: false }] as const,
        ]),
        ["", usual],
        ["i", { ...usual, incremental: true }],
        ["i=?1", { ...usual, incremental: true }],
        ["i=?0", usual],
        ["i;a", { ...usual, incremental: true }],
        [" u=1 ", { urgency: 1, incremental: false }],
        ["u=1 , i", { urgency: 1, incremental: true }],
        ["u=1,\ti", { urgency: 1, incremental: true }],
      ]),
      flags: ["Priority"],
    }),
    valid({
      note: "of several members with one key the last counts",
      spec: PRIORITY,
      element: "priority",
      ...pairs([["u=1, u=5", { urgency: 5, incremental: false }], ["i, i=?0", usual], ["i=?0, i", { ...usual, incremental: true }], ["u=5, i, u=1", { urgency: 1, incremental: true }]]),
      flags: ["Priority"],
    }),
    valid({
      note: "unknown members, and values of another type or range",
      spec: PRIORITY,
      element: "priority",
      ...pairs([
        ["a=1, u=2", { urgency: 2, incremental: false }],
        ["u=2, b=(1 2);c, i", { urgency: 2, incremental: true }],
        ['a="u=1, i", u=4', { urgency: 4, incremental: false }],
        ["u=8", usual],
        ["u=-1", usual],
        ["u=10", usual],
        ["u=1.0", usual],
        ["u", usual],
        ["u=?1", usual],
        ['u="1"', usual],
        ["u=a", usual],
        ["u=8, i", { ...usual, incremental: true }],
        ["i=1", usual],
        ["i=a", usual],
        ["uu=1", usual],
      ]),
      flags: ["Ignored"],
    }),
    valid({
      note: "not a dictionary",
      spec: PRIORITY,
      element: "priority",
      ...pairs([["u=1,", usual], ["u=1;;i", usual], ["u=1 i", usual], ["u=1 xi", usual], ["i xu=1", usual], [",u=1", usual], ["u=1,,i", usual], ["U=1", usual], ["u =1", usual], ["u= 1", usual], ["=1", usual], ["u=", usual], ["1", usual], ['u=1, a="', usual], ["u=1, (", usual]]),
      flags: ["Ignored"],
    }),
    valid({
      note: "priorities and their shortest form",
      spec: PRIORITY,
      element: "written-priority",
      ...pairs([...[0, 1, 2, 4, 5, 6, 7].flatMap((urgency) => [[`u=${urgency}`, `u=${urgency}`] as const, [`u=${urgency}, i`, `u=${urgency}, i`] as const]), ["u=3", ""], ["u=3, i", "i"]]),
      flags: ["Written"],
    }),
    accepted({ note: "white space within parameters at a sign", spec: EXTENSION, element: "parameters", texts: [" ;a", "; a", ";a =b", ";a= b", "\t;\ta\t=\tb"], flags: ["Space"] }),
  ],
};
