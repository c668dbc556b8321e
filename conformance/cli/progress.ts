import { Presets, SingleBar } from "cli-progress";

/** Shows the progress of a run: a bar on a terminal, otherwise a line now and then. Always on standard error, apart from the results. */
export type Progress = { start(name: string, total: number): void; step(done: number, total: number, failed: boolean): void; stop(): void };

/** No output, for `--json` and for programs. */
export const silent: Progress = { start: () => {}, step: () => {}, stop: () => {} };

export function progressOn(stream: NodeJS.WriteStream): Progress {
  return stream.isTTY ? bar(stream) : lines(stream);
}

function bar(stream: NodeJS.WriteStream): Progress {
  const single = new SingleBar(
    { stream, format: "{name} [{bar}] {value}/{total}  {failed} failed", hideCursor: true, clearOnComplete: true, barsize: 30, fps: 15 },
    Presets.legacy,
  );
  let failures = 0;
  return {
    start: (name, total) => {
      failures = 0;
      single.start(total, 0, { name, failed: 0 });
    },
    step: (done, _total, failed) => {
      failures += failed ? 1 : 0;
      single.update(done, { failed: failures });
    },
    stop: () => single.stop(),
  };
}

/** A run of so few cases needs no progress. */
const FEW = 50;

/** A line at the start and at every quarter. */
function lines(stream: NodeJS.WriteStream): Progress {
  let name = "";
  let quarter = 0;
  return {
    start: (what, total) => {
      name = what;
      quarter = 0;
      stream.write(`${name}: ${total} cases\n`);
    },
    step: (done, total) => {
      const now = Math.floor((done / total) * 4);
      if (now === quarter || done === total || total < FEW) return;
      quarter = now;
      stream.write(`${name}: ${done} of ${total}\n`);
    },
    stop: () => {},
  };
}
