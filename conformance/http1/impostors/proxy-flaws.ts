import type { ProxyFlaw, Way } from "./flaw.ts";
import { lines, refusal, refusing, replacing } from "./proxy-changes.ts";

/** Wrong proxies, by name. They change octets per read, and assume that a head arrives in one read. */

const FEW = /^(?:host|date|content-length|transfer-encoding|connection|expect):/i;
const GIVES_UP_MS = 800;
/** One of them cuts a response that takes longer. */
const SLOW_MS = 900;
/** Answers a TRACE that may go no further. */
const traced =
  (isWhole: boolean) =>
  (text: string, way: Way): string => {
    if (!/^TRACE [^]*\r\nMax-Forwards: 0\r\n/.test(text)) return text;
    const content = isWhole ? text : "";
    way.reply(`HTTP/1.1 200 OK\r\nContent-Type: message/http\r\nContent-Length: ${content.length}\r\n\r\n${content}`);
    return "";
  };
/** Some impostors refuse more than this. */
const LARGE = 50_000;
const swallowing =
  (key: string) =>
  (text: string, way: Way): string => {
    const sum = Number(way.seen.get(key) ?? 0) + text.length;
    way.seen.set(key, String(sum));
    return sum > LARGE ? "" : text;
  };
/** The octets that a message still lacks according to its head. */
function lacking(text: string): string {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return text === "" ? "" : "\r\n\r\n";
  const content = text.slice(end + 4);
  if (/\r\nTransfer-Encoding: chunked/i.test(text.slice(0, end))) {
    if (content.endsWith("\r\n0\r\n\r\n")) return "";
    const begun = /([\da-f]+)\r\n([^\r\n]*)$/i.exec(content);
    const open = begun === null ? 0 : Number.parseInt(begun[1] ?? "", 16) - (begun[2] ?? "").length;
    return content.endsWith("0\r\n") ? "\r\n" : open > 0 ? `${"x".repeat(open)}\r\n0\r\n\r\n` : "0\r\n\r\n";
  }
  const length = Number(/\r\nContent-Length: (\d+)/i.exec(text)?.[1] ?? 0);
  return "x".repeat(Math.max(0, length - content.length));
}
const remembering =
  (key: string) =>
  (text: string, way: Way): string => {
    way.seen.set(key, (way.seen.get(key) ?? "") + text);
    return text;
  };
/** Repeats the request on another connection until the origin answers. */
const again = (times: number): ProxyFlaw => ({
  about: `asks the origin ${times} times more when it ends without an answer`,
  asks: (text, way) => {
    way.seen.set("asked", text);
    way.seen.set("left", String(times));
    return text;
  },
  answers: (text, way) => {
    way.seen.delete("asked");
    return text;
  },
  onOriginEnd: (way) => {
    const text = way.seen.get("asked");
    const left = Number(way.seen.get("left") ?? 0);
    if (text === undefined) return way.hangUp();
    if (left === 0) {
      way.reply(refusal(502));
      return way.hangUp();
    }
    way.seen.set("left", String(left - 1));
    way.redial();
    way.ask(text);
  },
});
/** Octets that begin with the first fragment of a message of text, made a whole one. */
const withFin = (text: string): string =>
  ["A", "\u0001"].includes(text.charAt(0)) ? `${String.fromCharCode(text.charCodeAt(0) | 0x80)}${text.slice(1)}` : text;
const upTo = (text: string, end: number): string => (end < 0 ? text : text.slice(0, end));

export const HTTP1_PROXY_FLAWS: Readonly<Record<string, ProxyFlaw>> = {
  lenient: { about: "is a tunnel: it reads, removes and refuses nothing" },
  silent: { about: "accepts connections and answers nothing", greets: "silent" },
  slams: { about: "resets every connection at once", greets: "slams" },
  "shouts-methods": { about: "converts methods to upper case", asks: replacing(/^[a-z]+ /, (found = "") => found.toUpperCase()) },
  "knows-few-methods": { about: "accepts only the methods it knows", asks: refusing(501, /^TOUCHSTONE /) },
  "guesses-methods": {
    about: "takes a method for the known one that it resembles",
    asks: (text) =>
      text
        .replace(/^(?:[A-Z@[]?ET|G[A-Z@[]T|GE[A-Z@[]?|GETS) /, "GET ")
        .replace(/^(?:[A-Z@[]?OST|P[A-Z@[]ST|PO[A-Z@[]T|POS[A-Z@[]?|POSTS) /, "POST "),
  },
  "converts-digits-of-names": {
    about: "converts digits in field names as if they were letters",
    asks: replacing(
      /\r\nx-touchstone-(\d)x:/g,
      (_, digit = "0") => `\r\nx-touchstone-${String.fromCharCode(digit.charCodeAt(0) + 0x20)}x:`,
    ),
  },
  "takes-values-for-the-last": {
    about: "takes a value that begins like that of the request before for the same",
    asks: (text, way) => {
      const last = way.seen.get("value") ?? "";
      const value = /\r\nAccept: ([^\r]*)/.exec(text)?.[1] ?? "";
      way.seen.set("value", value);
      return last !== "" && value.startsWith(last) ? text.replace(`Accept: ${value}`, `Accept: ${last}`) : text;
    },
  },
  "takes-targets-for-the-last": {
    about: "takes a target that begins like that of the request before for the same",
    asks: (text, way) => {
      const last = way.seen.get("target") ?? "";
      const target = /^GET (\S+) /.exec(text)?.[1] ?? "";
      way.seen.set("target", target);
      return last !== "" && target.startsWith(last) ? text.replace(target, last) : text;
    },
  },
  "wants-whole-requests": {
    about: "answers 502 instead of a response that comes before the whole request",
    asks: remembering("asked"),
    answers: (text, way) => (lacking(way.seen.get("asked") ?? "") === "" ? text : refusal(502)),
  },
  "redirects-tunnels": { about: "answers CONNECT with a redirect", asks: refusing(302, /^CONNECT /) },
  "reverses-fields": {
    about: "reverses the order of fields",
    asks: lines((all) => all.toReversed()),
    answers: lines((all) => all.toReversed()),
  },
  "joins-cookies": {
    about: "joins the lines of Set-Cookie",
    answers: replacing(/\r\nSet-Cookie: ([^\r]*)\r\nSet-Cookie: /, "\r\nSet-Cookie: $1, "),
  },
  "varies-by-everything": { about: "adds an asterisk to Vary", answers: replacing(/\r\nVary: /, "\r\nVary: *, ") },
  "keeps-to-octets": { about: "answers 502 to a range unit other than bytes", answers: refusing(502, /\r\nContent-Range: (?!bytes)/) },
  "sends-again-what-is-not-modified": {
    about: "turns a 304 into a 200",
    answers: replacing(/^HTTP\/1\.1 304 Not Modified\r\n/, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"),
  },
  "forgets-fields": {
    about: "forwards only the fields it knows",
    asks: lines((all) => all.filter((line) => FEW.test(line))),
    answers: lines((all) => all.filter((line) => FEW.test(line))),
  },
  "knows-only-ascii": { about: "drops octets beyond ASCII", asks: replacing(/[\x80-\xff]/g, "") },
  "counts-edges": {
    about: "keeps white space around values",
    asks: replacing(/: [ \t]+(\S[^\r\n]*?)[ \t]+\r\n/g, ": _$1_\r\n"),
  },
  "unescapes-targets": { about: "decodes targets", asks: replacing(/%(?:2F|7E|41)/g, (found = "") => decodeURIComponent(found)) },
  "swallows-large": { about: "drops large content", asks: swallowing("asked"), answers: swallowing("answered") },
  "needs-a-reason": {
    about: "rejects a response without a reason phrase",
    answers: (text) => (/^HTTP\/1\.1 \d+ \r\n/.test(text) ? "" : text),
  },
  "rounds-statuses": { about: "rounds every status to x00", answers: replacing(/^HTTP\/1\.1 ([245])(?!00)\d\d/, "HTTP/1.1 $100") },
  "one-spelling-of-chunked": {
    about: "recognises one spelling of chunked only",
    asks: refusing(501, /\r\nTransfer-Encoding:(?! chunked\r)/i),
  },
  "capitals-are-strange": { about: "recognises field names in one case only", asks: refusing(400, /\r\nTRANSFER-ENCODING/) },
  "no-content-with-get": {
    about: "treats GET, HEAD and OPTIONS as empty, and their content as a request",
    asks: (text) =>
      /^(?:GET|HEAD|OPTIONS) /.test(text) ? text.replace(/(?:Content-Length: 256|Transfer-Encoding: chunked)\r\n/, "") : text,
  },
  "takes-chunks-for-content": {
    about: "forwards chunks as content of five octets",
    asks: replacing(/Transfer-Encoding: chunked\r\n/i, "Content-Length: 5\r\n"),
    answers: replacing(/Transfer-Encoding: chunked\r\n/i, ""),
  },
  "needs-whole-heads": { about: "drops what arrives octet by octet", asks: (text) => (text.length < 3 ? "" : text) },
  "no-leading-zeros": { about: "rejects leading zeros in a length", asks: refusing(400, /\r\nContent-Length: 0\d/) },
  "takes-what-comes": {
    about: "treats everything in the same read as the content of a POST",
    asks: (text) => {
      const end = text.indexOf("\r\n\r\n") + 4;
      if (!text.startsWith("POST ") || end === text.length || /Content-Length: [1-9]|Transfer-Encoding/.test(upTo(text, end))) return text;
      return `${text.slice(0, end - 2).replace("Content-Length: 0\r\n", "")}Content-Length: ${text.length - end}\r\n\r\n${text.slice(end)}`;
    },
  },
  "invents-content": {
    about: "frames content where there is none",
    asks: lines((all, start) =>
      start.startsWith("GET ") && !start.includes("/fence") && !start.includes("/after") ? [...all, "Content-Length: 5"] : all,
    ),
    fields: (fields) => [
      ...fields.filter(([name]) => name !== "content-length"),
      ...(fields.some(([, value]) => value.endsWith("/fence")) ? [] : [["content-length", "5"] as const]),
    ],
  },
  "gives-all-a-length": {
    about: "adds Content-Length to every response",
    answers: lines((all) =>
      all.some((line) => /^(?:content-length|transfer-encoding):/i.test(line)) ? all : [...all, "Content-Length: 0"],
    ),
  },
  "never-empty": {
    about: "adds content to empty responses",
    answers: replacing(/Content-Length: 0\r\n\r\n$/, "Content-Length: 7\r\n\r\nnothing"),
  },
  completes: {
    about: "completes truncated messages, in both directions",
    asks: remembering("asked"),
    answers: remembering("answered"),
    onOriginEnd: (way) => {
      way.reply(lacking(way.seen.get("answered") ?? ""));
      way.hangUp();
    },
    onClientEnd: (way) => {
      way.ask(lacking(way.seen.get("asked") ?? ""));
      way.leave();
    },
  },
  "patches-chunks": {
    about: "repairs broken chunks",
    answers: (text) =>
      text
        .replace("xyz\r\n\r\n", "0\r\n\r\n")
        .replace("10000000000000005", "5")
        .replace("helloworld", "hello")
        .replace("hello\rX", "hello\r\n")
        .replace("5\rXhello", "5\r\nhello"),
  },
  "empty-is-zero": {
    about: "treats an empty length as 0",
    answers: replacing(/Content-Length:\r\nContent-Length: 5\r\n\r\nhello/, "Content-Length: 0\r\n\r\n"),
  },
  "answers-for-the-origin": {
    about: "answers for an origin that does not",
    answers: remembering("answered"),
    onOriginEnd: (way) => {
      if (!(way.seen.get("answered") ?? "").includes("\r\n\r\n")) way.reply("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      way.hangUp();
    },
  },
  "forgets-length-of-head": {
    about: "declares the response to HEAD empty",
    answers: replacing(/Content-Length: [1-9]\d*\r\n\r\n$/, "Content-Length: 0\r\n\r\n"),
  },
  "ends-chunks-of-head": {
    about: "sends a last chunk with the answer to HEAD",
    answers: replacing(/Transfer-Encoding: chunked\r\n\r\n$/, (found = "") => `${found}0\r\n\r\n`),
  },
  "asks-get-for-head": {
    about: "sends GET to the origin for HEAD",
    fields: (fields) => fields.map(([name, value]) => [name, value === "HEAD" ? "GET" : value] as const),
  },
  "splits-behind-answers": {
    about: "treats the octets after an answer as a new request, whatever was still to come",
    asks: (text, way) => {
      if (way.seen.get("answered") !== undefined) way.redial();
      way.seen.delete("answered");
      return text;
    },
    answers: remembering("answered"),
  },
  "swallows-interim": {
    about: "drops interim responses",
    answers: (text) => text.replace(/^(?:HTTP\/1\.1 1\d\d [^\r]*\r\n(?:[^\r]+\r\n)*\r\n)+/, ""),
    response: (fields) => (fields.some(([name, value]) => name === ":status" && value.startsWith("1")) ? [] : fields),
  },
  "interim-has-content": {
    about: "drops what an interim response says is its content",
    answers: replacing(/^(HTTP\/1\.1 103 [^]*?Content-Length: 5\r\n\r\n)[^]{5}/, "$1"),
  },
  "loses-slow-answers": {
    about: "loses what the origin sends a second after its response has begun",
    answers: (text, way) => {
      const began = Number(way.seen.get("began") ?? Date.now());
      way.seen.set("began", String(began));
      return Date.now() - began > SLOW_MS ? "" : text;
    },
  },
  "dislikes-100": {
    about: "answers 502 for a 100 of the origin that nobody expects",
    answers: (text) => (text.startsWith("HTTP/1.1 100 ") ? refusal(502) : text),
  },
  "promises-websocket": {
    about: "announces extended CONNECT, and answers it with 501",
    response: (fields) => (fields.some(([name]) => name === "sec-websocket-accept") ? [[":status", "501"]] : fields),
  },
  "fails-at-options": {
    about: "answers OPTIONS with Max-Forwards: 0 with 500",
    asks: refusing(500, /^OPTIONS [^]*\r\nMax-Forwards: 0\r\n/),
  },
  "traces-in-full": { about: "answers TRACE at Max-Forwards: 0 with all that it got", asks: traced(true) },
  "traces-nothing": { about: "answers TRACE at Max-Forwards: 0 without content", asks: traced(false) },
  "gives-up-with-500": {
    about: "answers 500 for a silent origin",
    asks: (text, way) => {
      way.seen.delete("answered");
      setTimeout(() => way.seen.has("answered") || way.reply(refusal(500)), GIVES_UP_MS).unref();
      return text;
    },
    answers: remembering("answered"),
  },
  "refuses-expectations": { about: "refuses every expectation", asks: refusing(417, /\r\nExpect:/) },
  "drops-pipelines": {
    about: "drops pipelined requests",
    asks: (text) => upTo(text, text.search(/(?<=\r\n\r\n.*)(?:GET|POST) \//s)),
  },
  "tries-again": again(1),
  "tries-again-and-again": again(3),
  "merges-trailers": {
    about: "puts trailers into the header section",
    asks: (text) => text.replace(/^([^\r]*\r\n)(.*\r\n0\r\n)((?:[\w-]+: [^\r]*\r\n)+)\r\n$/s, "$1$3$2\r\n"),
    answers: (text) => text.replace(/^([^\r]*\r\n)(.*\r\n0\r\n)((?:[\w-]+: [^\r]*\r\n)+)\r\n$/s, "$1$3$2\r\n"),
    fields: (fields) => fields.map(([name, value]) => [name.replace(/^trailer /, ""), value] as const),
  },
  "adds-max-forwards": {
    about: "adds Max-Forwards to OPTIONS",
    asks: lines((all, start) => (start.startsWith("OPTIONS ") ? [...all, "Max-Forwards: 10"] : all)),
  },
  transforms: { about: "changes content", answers: replacing(/<p>.*/s, (found = "") => found.toUpperCase()) },
  "names-nothing": { about: "removes Connection, and keeps the fields it names", asks: replacing(/\r\nConnection: Upgrade/, "") },
  "drops-conditions": {
    about: "forwards no preconditions",
    asks: lines((fields) => fields.filter((line) => !/^If-/i.test(line))),
  },
  "evaluates-conditions": {
    about: "evaluates If-None-Match and If-Range itself",
    asks: (text, way) => {
      way.seen.set("tag", /\r\nIf-(?:None-Match|Range): ([^\r]*)/i.exec(text)?.[1] ?? "");
      way.seen.set("ranged", /\r\nIf-Range:/i.test(text) ? "yes" : "");
      return text;
    },
    answers: (text, way) => {
      if (/\r\nETag: ([^\r]*)/i.exec(text)?.[1] !== way.seen.get("tag")) return text;
      if (way.seen.get("ranged") === "") return "HTTP/1.1 304 Not Modified\r\n\r\n";
      return "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-1/11\r\nContent-Length: 2\r\n\r\nhe";
    },
  },
  "writes-absolute-targets": {
    about: "copies :scheme into the target",
    fields: (fields) => {
      const of = (name: string): string => fields.find(([one]) => one === name)?.[1] ?? "";
      return fields.map(([name, value]) => [name, name === ":path" ? `${of(":scheme")}://${of(":authority")}${value}` : value] as const);
    },
  },
  "keeps-connection-of-101": {
    about: "removes Connection from a 101",
    answers: replacing(/^(HTTP\/1\.1 101 [^]*?)Connection: Upgrade\r\n/, "$1"),
  },
  "repairs-accepts": {
    about: "calculates Sec-WebSocket-Accept itself",
    answers: replacing(/Accept: A{27}=/, "Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
  },
  "sets-fin": {
    about: "sets FIN in the fragments of WebSocket messages",
    asks: (text) => (text.charCodeAt(1) >= 0x80 ? withFin(text) : text),
    answers: (text) => withFin(text),
  },
  "cuts-control-frames": {
    about: "removes FIN from Pings",
    asks: replacing(/^\x89/, "\x09"),
    answers: replacing(/\x89/, "\x09"),
  },
  "drops-what-comes-with-101": {
    about: "drops the octets that arrive together with a 101",
    answers: replacing(/^(HTTP\/1\.1 101 [^]*?\r\n\r\n)[^]+$/, "$1"),
  },
  "one-way": {
    about: "relays nothing from the client after a 101",
    asks: (text, way) => (way.seen.has("switched") ? "" : text),
    answers: (text, way) => {
      if (text.startsWith("HTTP/1.1 101 ")) way.seen.set("switched", "");
      return text;
    },
  },
  "stays-open": { about: "keeps the connection of the client after that of the origin has ended", onOriginEnd: () => {} },
  "keeps-origins": { about: "keeps the connection to the origin after that of the client has ended", onClientEnd: () => {} },
  "no-content-with-upgrade": {
    about: "treats requests with Upgrade as empty, and their content as a request",
    asks: (text) => (/\r\nUpgrade:/i.test(text) ? text.replace(/Content-Length: 5\r\n/, "") : text),
  },
  // The bluntest impostors come last: each fails many cases.
  "speaks-another-version": { about: "forwards requests as HTTP/2.0", asks: replacing(/ HTTP\/1\.[01]\r\n/, " HTTP/2.0\r\n") },
  "answers-all-itself": {
    about: "answers everything with 200, without the origin",
    asks: (_, way) => (way.reply("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), ""),
  },
};
