import type { Way } from "./flaw.ts";

/** Ways to change what passes a wrong proxy, per read: they assume that a head arrives in one read. */

/** A response that refuses a request. */
export const refusal = (status: number): string => `HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
/** Refuses requests that match, and ends the connection. */
export const refusing =
  (status: number, dislike: RegExp) =>
  (text: string, way: Way): string => {
    if (!dislike.test(text)) return text;
    way.reply(refusal(status));
    way.hangUp();
    return "";
  };
/** Replaces the first match of a pattern. */
export const replacing =
  (pattern: RegExp, by: string | ((...found: string[]) => string)) =>
  (text: string): string =>
    typeof by === "string" ? text.replace(pattern, by) : text.replace(pattern, by);
/** Changes the lines of the head of a message. */
export const lines =
  (change: (fields: string[], start: string) => string[]) =>
  (text: string): string => {
    const end = text.indexOf("\r\n\r\n");
    if (end < 0 || !/^(?:[A-Z]+ [^\r\n]+ HTTP\/1|HTTP\/1\.\d \d)/.test(text)) return text;
    const [start = "", ...fields] = text.slice(0, end).split("\r\n");
    return [start, ...change(fields, start)].join("\r\n") + text.slice(end);
  };
