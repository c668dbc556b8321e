/** What one job of a run left behind. */

export type Asked = {
  /** Of the stage, from 1 on. */
  readonly stage: number;
  /** Milliseconds of the run. */
  readonly at: number;
  readonly host: "target" | "elsewhere";
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
};

export type Point = { readonly time: number; readonly value: number };
export type Series = {
  readonly labels: Readonly<Record<string, string>>;
  readonly points: readonly Point[];
  readonly histograms: number;
};

export type JobRecord = {
  /** Its job_name, and the value of its label `case`. */
  readonly job: string;
  readonly target: string;
  readonly asked: readonly Asked[];
  readonly series: readonly Series[];
  /** The series that a query at the time of the last scrape shows. */
  readonly alive: readonly Series["labels"][];
  /** Stages that are over. */
  readonly passed: number;
  /** Why the next stage did not end. */
  readonly stopped: string;
  /** The scraper ended before it scraped anything. */
  readonly isRefused: boolean;
};

export const nameOf = ({ labels }: Pick<Series, "labels">): string => labels["__name__"] ?? "";
/** The times of the scrapes of a stage that were stored, in seconds, in order. */
export const timesOf = (series: readonly Series[], stage: number): number[] =>
  series
    .filter((one) => nameOf(one) === "stage")
    .flatMap(({ points }) => points.flatMap(({ time, value }) => (value === stage ? [time] : [])))
    .sort((a, b) => a - b);
/** Fields of a request by name, in order. */
export const fieldsOf = ({ fields }: Asked, name: string): string[] => fields.flatMap(([own, value]) => (own === name ? [value] : []));
