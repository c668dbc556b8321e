import { type Command, InvalidArgumentError } from "commander";
import { wholeNumber } from "../../../options.ts";
import { listeningOptions, several } from "../cli/listening.ts";
import type { AnyDialectName } from "../../rpc/index.ts";
import type { RpcCommandOptions } from "./run.ts";

const HELP = `
Services:
  touchstone.echo.v1.Echo      returns what it gets, in the four kinds of calls
  grpc.testing.TestService     what the interoperability tests of existing clients call
  grpc.health.v1.Health        the health of both
  xds.service.orca.v3.OpenRcaService     the load that a client of the interop service has stated, every second
  grpc.reflection.v1.ServerReflection    the contracts of all of them; as v1alpha, too
  grpc.channelz.v1.Channelz    with --channelz: the server's connections and counters

Examples:
  touchstone serve rpc --port 8080                     the neutral dialect, in clear text
  touchstone serve rpc --dialect grpc --port 8080      for existing clients
  touchstone serve rpc --dialect grpc,grpc-web,connect --port 8080    and for browsers and plain HTTP, also over HTTP/1.1
  curl -H 'content-type: application/json' -d '{"text":"hi"}' http://127.0.0.1:8080/touchstone.echo.v1.Echo/Unary    a call of connect
  touchstone serve rpc --tls --client-ca ca.pem        only clients with a certificate of that authority
  touchstone serve rpc --tls --http3 --port 8443       over HTTP/2 and HTTP/3
  touchstone serve rpc --fault reset:code=CANCEL,after=1    misbehaves by name; --list-faults prints the faults
`;

const DIALECT_NAMES = ["rpc", "grpc", "grpc-web", "connect"] as const satisfies readonly AnyDialectName[];
function dialects(value: string): readonly AnyDialectName[] {
  return value.split(",").map((name) => {
    const known = DIALECT_NAMES.find((one) => one === name.trim());
    if (known === undefined) throw new InvalidArgumentError(`"${name.trim()}" is no dialect: use ${DIALECT_NAMES.join(", ")}.`);
    return known;
  });
}

/** `touchstone serve rpc`: the echo and the interop service. */
export function rpcCommand(serve: Command): void {
  listeningOptions(serve.command("rpc"))
    .description("remote calls: an echo service, and the service of existing interoperability tests")
    .option("--dialect <names>", "rpc, grpc, grpc-web, connect; several with commas: content types decide (default: rpc)", dialects, [
      "rpc",
    ])
    .option("--encoding <name>", "compress responses for clients that accept it: gzip, deflate, zstd")
    .option("--max-message <octets>", "the longest message to accept", wholeNumber(0, 0x7fff_ffff))
    .option("--max-streams <n>", "concurrent calls on one connection", wholeNumber(0, 1_000_000))
    .option("--max-connections <n>", "the most connections at a time", wholeNumber(1, 1_000_000))
    .option("--http3", "with --tls: answer calls over HTTP/3 at the same port, too")
    .option(
      "--channelz",
      "show connections and their counters by grpc.channelz.v1.Channelz; it tells about clients: their addresses, certificates",
    )
    .option("--fault <name:args>", "misbehave on every connection; repeatable", several, [])
    .option("--list-faults", "list the faults and exit")
    .addHelpText("after", HELP)
    // The parent command `serve` has options with the same names and takes their values, wherever they stand.
    .action(async (_: unknown, command: Command) => (await import("./run.ts")).run(command.optsWithGlobals<RpcCommandOptions>()));
}
