import type { RetryVector } from "./craft.ts";
import type { VectorSource } from "../../write.ts";

/** Retry packets with their tags. */
export const source: VectorSource<RetryVector> = {
  about: "Retry packets",
  spec: "rfc9001#5.8",
  flags: { Example: { why: "an example of the specification", bug: "BASICS" }, Changed: { why: "a packet that does not belong to the first packet of the client", bug: "MISSING_CHECK" } },
  vectors: [
    {"note": "a Retry packet, v1", "spec": "rfc9001#A.4", "version": "v1", "original": "8394c8f03e515708", "wire": "ff000000010008f067a5502a4262b5746f6b656e04a265ba2eff4d829058fb3f0f2496ba", "token": "746f6b656e", "result": "valid", "flags": ["Example"]},
    {"note": "a Retry packet, v2", "spec": "rfc9369#A.4", "version": "v2", "original": "8394c8f03e515708", "wire": "cf6b3343cf0008f067a5502a4262b5746f6b656ec8646ce8bfe33952d955543665dcc7b6", "token": "746f6b656e", "result": "valid", "flags": ["Example"]},
    {"note": "a Retry packet, v1, with a wrong tag", "spec": "rfc9000#17.2.5.2", "version": "v1", "original": "8394c8f03e515708", "wire": "ff000000010008f067a5502a4262b5746f6b656e04a265ba2eff4d829058fb3f0f2496bb", "result": "invalid", "flags": ["Changed"], "fault": "retryTagWrong"},
    {"note": "a Retry packet, v2, with a wrong tag", "spec": "rfc9000#17.2.5.2", "version": "v2", "original": "8394c8f03e515708", "wire": "cf6b3343cf0008f067a5502a4262b5746f6b656ec8646ce8bfe33952d955543665dcc7b7", "result": "invalid", "flags": ["Changed"], "fault": "retryTagWrong"},
    {"note": "a Retry packet for another first ID", "spec": "rfc9001#5.8", "version": "v1", "original": "8394c8f03e515709", "wire": "ff000000010008f067a5502a4262b5746f6b656e04a265ba2eff4d829058fb3f0f2496ba", "result": "invalid", "flags": ["Changed"], "fault": "retryTagWrong"},
  ],
};
