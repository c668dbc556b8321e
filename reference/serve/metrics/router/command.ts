import { Option, type Command } from "commander";
import { listeningOptions } from "../../cli/listening.ts";
import type { RouterCommandOptions } from "./run.ts";

const HELP = `
Takes alerts at /api/v2/alerts, and notifies receivers by webhook and e-mail: by groups, with routes, silences, inhibition and repeats.
The configuration is that of Alertmanager; amtool works against it.

Examples:
  touchstone serve alert-router --config.file router.yml --port 9093
  touchstone serve alert-router --config.file router.yml --web.listen-address 0.0.0.0:9093 --storage.path /var/lib/router
  touchstone metrics check-router router.yml
  amtool --alertmanager.url http://127.0.0.1:9093 silence add alertname=Disk --comment "being replaced" --duration 2h
`;

/** Declares `touchstone serve alert-router`; the router itself is loaded when the command runs. */
export function routerCommand(serve: Command): void {
  listeningOptions(serve.command("alert-router"))
    .description("an alert router: groups, silences, inhibition, notifications by webhook and e-mail, with the API of Alertmanager")
    .option("--config.file <file>", "the configuration; SIGHUP and POST to /-/reload read it again", "alertmanager.yml")
    .option("--storage.path <directory>", "where silences and the log of notifications are kept", "data")
    .option("--data.retention <duration>", "how long to remember expired silences and what was sent", "120h")
    .option("--alerts.gc-interval <duration>", "how often to forget alerts that have ended", "30m")
    .option("--web.listen-address <address>", "host:port to listen on, in place of --host and --port; :9093 is any address")
    .option("--web.config.file <file>", "TLS, certificates and passwords of clients, header fields: the web configuration of Prometheus")
    .option("--web.external-url <url>", "under which the router is reached from outside, for links in notifications")
    .option("--web.route-prefix <path>", "before all paths; by default that of --web.external-url")
    .option("--web.cors.origin <pattern>", "origins whose pages may use the API in a browser: a regular expression for the whole origin")
    .addOption(new Option("--cluster.listen-address <address>", "only empty: this router has no cluster").default(""))
    .addHelpText("after", HELP)
    // `serve` has options of the same names and consumes them even after the subcommand, so both sets are merged.
    .action(async (_: unknown, command: Command) => (await import("./run.ts")).run(command.optsWithGlobals<RouterCommandOptions>()));
}
