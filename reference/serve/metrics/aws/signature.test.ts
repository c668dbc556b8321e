import { expect, test } from "vitest";
import { signed } from "./signature.ts";

test("the example of the documentation has its signature", () => {
  const fields = signed({
    method: "GET",
    url: "https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08",
    fields: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
    body: "",
    service: "iam",
    region: "us-east-1",
    keys: { accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" },
    now: Date.UTC(2015, 7, 30, 12, 36, 0),
  });
  expect(fields["authorization"]).toBe(
    "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, SignedHeaders=content-type;host;x-amz-date, " +
      "Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7",
  );
});
