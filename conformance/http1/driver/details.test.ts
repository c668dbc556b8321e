import { describe, expect, test } from "vitest";
import { readRequests, readResponses } from "../../wire/http1/read.ts";
import { fromLatin1 } from "../../wire/octets.ts";
import type { Conversation } from "./conversation.ts";
import { requestsInDetail, responsesInDetail } from "./details.ts";

const inDetail = (text: string): string =>
  responsesInDetail([readResponses(fromLatin1(text), ["GET", "GET", "GET", "GET", "GET", "GET"], true) as unknown as Conversation]);

describe("what messages had besides their status", () => {
  test("lines of fields that the protocol defines count as they came, of others the names", () => {
    const seen = inDetail("HTTP/1.1 200 OK\r\nDate: today\r\nConnection:  close\r\nContent-Length: 2\r\n\r\nok");
    expect(seen).toBe("HTTP/1.1 200 OK (Date, Connection:  close, Content-Length: 2) length 2");
  });

  test("chunks and trailers show", () => {
    const seen = inDetail("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n");
    expect(seen).toBe("HTTP/1.1 200 OK (Transfer-Encoding: chunked) chunked 2, then X-Sum");
  });

  test("the words of an error response show without their numbers", () => {
    const seen = inDetail("HTTP/1.1 400 Bad Request\r\nContent-Length: 7\r\n\r\nat 12:5");
    expect(seen).toBe("HTTP/1.1 400 Bad Request (Content-Length: 7) length at 0:0");
  });

  test("of many responses the first and the last show, interim ones too", () => {
    const one = (status: number): string => `HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`;
    const seen = inDetail(["HTTP/1.1 103 Early\r\nLink: a\r\n\r\n", ...[200, 201, 202, 203, 204].map(one)].join(""));
    expect(seen.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 103", "HTTP/1.1 200", "HTTP/1.1 201", "HTTP/1.1 204"]);
  });

  test("requests show their target, their fields and the length of their content", () => {
    const { requests } = readRequests(fromLatin1("POST /a HTTP/1.1\r\nHost: b\r\nX-Any: c\r\nContent-Length: 2\r\n\r\nok"), true);
    expect(requestsInDetail(requests.map((request) => ({ request, on: 1 })))).toBe(
      "POST /a HTTP/1.1 (Host: b, X-Any, Content-Length: 2) length 2",
    );
  });
});
