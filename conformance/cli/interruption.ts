/** The signals that end a run, with the exit status that shells give a program ended by them. */
const STATUSES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type Name = keyof typeof STATUSES;
const NAMES = Object.keys(STATUSES) as Name[];

/** Ends a run in good order: the first signal keeps the results so far, a second one ends the program at once. */
export class Interruption implements Disposable {
  readonly #abort = new AbortController();
  #by: Name | undefined;

  constructor() {
    for (const name of NAMES) process.on(name, this.#take);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }
  /** The exit status of an interrupted run; undefined without a signal. */
  get status(): number | undefined {
    return this.#by && STATUSES[this.#by];
  }
  get by(): string | undefined {
    return this.#by;
  }

  readonly #take = (name: NodeJS.Signals): void => {
    // The handlers of "exit" end the subjects that we started.
    if (this.#by !== undefined) process.exit(this.status);
    this.#by = name as Name;
    console.error(`touchstone: interrupted by ${name}; the results so far are kept. A second signal ends it at once.`);
    this.#abort.abort();
  };

  [Symbol.dispose](): void {
    for (const name of NAMES) process.removeListener(name, this.#take);
  }
}
