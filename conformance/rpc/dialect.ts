import type { DialectName } from "../../vectors/rpc/question.ts";
import { WrongUse } from "../harness/driver.ts";
import type { Settings } from "../harness/suite.ts";

/** The dialect that --dialect names; `rpc` without it. Throws `WrongUse` for an unknown one. */
export function dialectIn({ dialect = "rpc" }: Settings): DialectName {
  if (dialect === "rpc" || dialect === "grpc") return dialect;
  throw new WrongUse(`--dialect is rpc or grpc, not "${dialect}".`);
}
