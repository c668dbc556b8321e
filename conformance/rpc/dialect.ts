import type { DialectName } from "../../vectors/rpc/question.ts";
import type { WebDialect } from "../wire/rpc/web-forms.ts";
import { WrongUse } from "../harness/driver.ts";
import type { Settings } from "../harness/suite.ts";

/** The dialect that --dialect names; `rpc` without it. Throws `WrongUse` for an unknown one. */
export function dialectIn({ dialect = "rpc" }: Settings): DialectName {
  if (dialect === "rpc" || dialect === "grpc") return dialect;
  throw new WrongUse(`--dialect is rpc or grpc, not "${dialect}".`);
}

/** The same for servers and clients, which also have the dialects for browsers and plain HTTP. */
export function anyDialectIn(settings: Settings): DialectName | WebDialect {
  const { dialect } = settings;
  if (dialect === "connect" || dialect === "grpc-web") return dialect;
  if (dialect === undefined || dialect === "rpc" || dialect === "grpc") return dialectIn(settings);
  throw new WrongUse(`--dialect is rpc, grpc, grpc-web or connect, not "${dialect}".`);
}
export const isWeb = (dialect: DialectName | WebDialect): dialect is WebDialect => dialect === "connect" || dialect === "grpc-web";
