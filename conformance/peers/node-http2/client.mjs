// Gets one URL with node:http2; exits with status 0 if the response is complete.
import http2 from "node:http2";

const url = new URL(process.argv[2]);
const LIMIT_MS = 10_000;
/** Exits with status 1, after Node has written its last frames to the server. */
const fail = (error) => {
  console.error(error?.message ?? "the response did not end well");
  process.exitCode = 1;
  session.close();
  // A connection that does not end by itself is dropped.
  setTimeout(() => session.destroy(), 200).unref();
};
const session = http2.connect(url.origin, { rejectUnauthorized: false });
session.on("error", fail);
const stream = session.request({ ":path": url.pathname });
let status;
stream.on("response", (headers) => (status = headers[":status"]));
stream.on("error", fail);
stream.on("aborted", () => fail(new Error("aborted")));
stream.on("data", () => {});
stream.on("close", () => (status === undefined || stream.rstCode !== 0 ? fail() : session.close()));
stream.end();
setTimeout(() => process.exit(1), LIMIT_MS).unref();
