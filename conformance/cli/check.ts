import { type Command, InvalidArgumentError } from "commander";
import { allSuites, oneOf } from "../harness/registry.ts";
import { WrongUse } from "../harness/driver.ts";
import type { Result, Shard } from "../harness/result.ts";
import { readShard } from "../harness/shard.ts";
import type { Registry } from "../harness/suite.ts";
import { timeUpTo, wholeNumber } from "../../options.ts";
import { onlyNamed, textAfter } from "./check-help.ts";

/** Writes the requested reports. Each entry has the path of its file, and in `problem` the reason if that is not the requested path. */
export type WriteReports = (
  results: readonly Result[],
  wanted: {
    readonly json?: string | undefined;
    readonly junit?: string | undefined;
    readonly html?: string | undefined;
    readonly markdown?: string | undefined;
    readonly tap?: string | undefined;
    readonly sarif?: string | undefined;
    readonly pcap?: string | undefined;
    readonly github?: boolean | undefined;
  },
  options?: { readonly print?: (text: string) => void },
) => Promise<readonly { readonly path?: string; readonly problem?: string }[]>;

/** Passed in by the command line, because `conformance` does not import `reports`. */
export type Wiring = {
  readonly write: WriteReports;
  /** The results for a terminal. */
  readonly text: (results: readonly Result[], options: { readonly strict: boolean }) => Promise<string>;
};

export type Flags = {
  readonly server?: string;
  readonly client?: string;
  readonly codec?: string;
  readonly proxy?: string;
  readonly origin?: string;
  readonly proxyHttp2?: string;
  readonly only?: string[];
  readonly level?: string[];
  readonly group?: string;
  readonly abuse?: boolean;
  readonly shard?: Shard;
  readonly iOperateThisTarget?: boolean;
  readonly list?: boolean;
  readonly json?: boolean;
  readonly trace?: boolean;
  readonly baseline?: string;
  readonly sameAs?: string;
  readonly offers?: string[];
  readonly writeBaseline?: string;
  readonly strict?: boolean;
  readonly concurrency?: number;
  readonly timeout?: number;
  readonly seed?: number;
  readonly repeat?: number;
  readonly flaky?: string;
  readonly failFast?: boolean;
  readonly wait?: number;
  readonly start?: string;
  readonly tls?: boolean;
  readonly verify?: boolean;
  readonly header?: string[];
  readonly auth?: string;
  readonly connectTo?: string;
  readonly unixSocket?: string;
  readonly sni?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly pid?: number;
  readonly expectStatus?: number;
  readonly post?: string;
  readonly echo?: string;
  readonly name?: string;
  readonly save?: string;
  readonly junit?: string;
  readonly html?: string;
  readonly markdown?: string;
  readonly tap?: string;
  readonly sarif?: string;
  readonly pcap?: string;
  readonly github?: boolean;
  readonly config?: string;
  readonly subject?: string[];
};

/** Parses an option that is a path. */
function pathOf(text: string): string {
  if (!/^\/[!-~]*$/.test(text)) throw new InvalidArgumentError('It is a path that begins with "/".');
  return text;
}

const several = (text: string, before: string[] | undefined): string[] => [...(before ?? []), ...text.split(",").map((one) => one.trim())];

/** Collects the values of a repeated option whole: they may contain commas. */
const another = (text: string, before: string[] | undefined): string[] => [...(before ?? []), text];

/** Declares the arguments and flags of `touchstone check`. */
export function declareCheck(command: Command, suites: Awaited<ReturnType<typeof allSuites>>): Command {
  command
    .argument("[suite]", `${oneOf(suites.map(([name]) => name))}; all of them on the embedded reference when omitted`)
    .argument("[url]", "the server: http:// or https://, ws:// or wss://; the embedded reference when omitted")
    .optionsGroup("What is judged, if not the server at the URL:")
    .option(
      "--server <command>",
      "a server that Touchstone starts with a configuration (suite alerts): a command with {config}, {dir} and {port}; or the name of a peer",
    )
    .option(
      "--client <command>",
      "a client: a command with {url}, started once for each case (suite rpc: a program that reads which calls to make); or the name of a peer",
    )
    .option("--proxy <what>", "a reverse proxy: its address, a command with {origin} and {port}, or the name of a peer")
    .option("--origin <address>", "proxy: the HOST:PORT that it forwards to; Touchstone listens there")
    .option("--proxy-http2 <url>", "proxy: where it speaks HTTP/2, if that is another address")
    .option("--codec <command>", "a codec: a command that answers JSON lines (vectors/README.md)")
    .optionsGroup("Which cases run:")
    .option("--only <what>", "ids, globs ('http2/ping-*') or sections (6.5, 'RFC 9113 §8.3'); repeat it, or separate by commas", several)
    .option("--level <level>", "must, should, may; separate by commas", several)
    .option("--group <name>", "only the cases of this group")
    .option("--abuse", "also run the cases of the group abuse: bounded floods")
    .option("--i-operate-this-target", "allow --abuse on a target that is not this machine")
    .option(
      "--shard <part>",
      "one part of the cases: 2/4 is the second of four; /4 takes the number from an Indexed Job, and a job that also sets JOB_COMPLETIONS needs no flag; touchstone merge joins the results",
      (text: string) => readShard(text),
    )
    .option("--list", "print the cases and exit")
    .option("--seed <n>", "shuffle the cases", wholeNumber(0, 2 ** 32 - 1))
    .option("--repeat <n>", "run the cases so many times; a verdict that moves is red", wholeNumber(2, 100))
    .option("--fail-fast", "end the run at the first failure that is not known")
    .option("--concurrency <n>", "cases at the same time (server 16, client 8)", wholeNumber(1, 256))
    .option("--timeout <ms>", "the longest silence to wait for (2000)", wholeNumber(10, 600_000))
    .optionsGroup("What is printed, and what makes the run red:")
    .option("--json", "print the result (or the list) as JSON on standard output, and nothing else there")
    .option("--trace", "print the transcript of every case that runs")
    .option("--baseline <file>", "known failures: only a change is red")
    .option("--write-baseline <file>", "write the failures of this run as a baseline")
    .option("--flaky <file>", "cases that are known to be flaky, written like a baseline: they are never red")
    .option("--same-as <file>", "a result of --save: red if a case behaves differently, even if the specification permits it")
    .option(
      "--offers <features>",
      "features that the subject must offer, by the NAME in 'Not offered (NAME)': if one is missing, its cases are unproved instead of skipped",
      several,
    )
    .option("--strict", "warnings and unproved cases are red too")
    .optionsGroup("How the subject is reached:")
    .option("--tls", "client: give it an https: address; it must not verify the certificate")
    .option("--wait <time>", "server: wait until it answers, up to 30s, say; by default it has to answer at once", timeUpTo("60m"))
    .option(
      "--start <command>",
      "server: start it with this command, wait for it (30s), and end it and its children after the run; {port} there and in the URL is a free port",
    )
    .option("-H, --header <field>", "server: 'Name: value' in every request; repeat it for more fields", another)
    .option("--auth <credentials>", "server: user:password, 'bearer TOKEN', or @FILE for a file with one of these")
    .option("--connect-to <address>", "server: connect to this HOST:PORT; requests and TLS still name the host of the URL")
    .option("--unix-socket <path>", "server: connect to this Unix socket")
    .option("--sni <name>", "server: the name in the TLS handshake, if not the host of the URL")
    .option("--verify", "server: reject an untrusted certificate")
    .option("--ca <file>", "server: the authorities that its certificate may come from, in PEM; implies --verify")
    .option("--cert <file>", "server: our certificate in PEM, for a server that requires one")
    .option("--key <file>", "server: the key of that certificate in PEM")
    .option(
      "--expect-status <code>",
      "server: the status of its good answer; without this option a status of 400 or more ends the run",
      wholeNumber(200, 599),
    )
    .option("--post <path>", "server: a path that accepts POST, if that of the address does not", pathOf)
    .option(
      "--echo <path>",
      "http1 server: a path that answers POST with its content (/echo); conformance/HANDLERS.md has handlers",
      pathOf,
    )
    .option("--pid <n>", "server: its process id, so that --abuse can measure what it costs (Linux)", wholeNumber(1, 2 ** 31 - 1));
  for (const [name, { flags = [] }] of suites)
    for (const { name: flag, value, about } of flags)
      command.optionsGroup("Options of this suite:").option(`--${flag} ${value}`, `${name}: ${about}`);
  command
    .optionsGroup("Reports:")
    .option("--name <name>", "what reports call the subject")
    .option("--save <file>", "write the result as JSON")
    .option("--junit <file>", "write JUnit XML")
    .option("--html <file>", "write one self-contained page")
    .option("--markdown <file>", "write a summary in Markdown")
    .option("--tap <file>", "write the Test Anything Protocol, version 14")
    .option("--sarif <file>", "write SARIF 2.1.0, for code scanning")
    .option("--pcap <file>", "write the transcripts of cases that did not pass, as a capture for packet analysers (pcapng)")
    .option("--github", "print annotations for GitHub Actions")
    .optionsGroup("A configuration file:")
    .option(
      "--config <file>",
      "run what it says; by default touchstone.config.ts, .js, .json or .yaml in this folder, if no suite is named",
    )
    .option("--subject <name>", "only this subject of it; repeat it for more", another);
  return command;
}

/** `touchstone check`: runs suites on a subject, and prints the verdicts. */
export async function checkCommand(command: Command, registry: Registry, wiring: Wiring): Promise<void> {
  const suites = await allSuites(registry);
  declareCheck(command, suites)
    .configureHelp(onlyNamed(suites))
    .addHelpText("after", ({ command: shown }) => textAfter(shown, suites))
    .action(async (suite: string | undefined, url: string | undefined, flags: Flags & Readonly<Record<string, unknown>>) => {
      const { guarded } = await import("./guarded.ts");
      const asked = { registry, suite, url, flags, wiring };
      process.exitCode = await guarded(async () => {
        if (suite !== undefined && (flags.config ?? flags.subject) !== undefined)
          throw new WrongUse("--config and --subject judge what the configuration says: leave out the suite and the address.");
        const { configIn } = await import("./config-file.ts");
        const config = suite === undefined ? (flags.config ?? configIn(process.cwd())) : undefined;
        if (config === undefined && flags.subject !== undefined)
          throw new WrongUse("There is no configuration here: write one with touchstone init.");
        if (config !== undefined && !namesSubject(flags)) return (await import("./run-config.ts")).runConfig(config, { ...asked, command });
        return (await import("./run.ts")).runCheck(asked);
      });
    });
}

/** Whether the command line says by itself what is judged. */
const namesSubject = ({ server, client, proxy, codec }: Flags): boolean => (server ?? client ?? proxy ?? codec) !== undefined;
