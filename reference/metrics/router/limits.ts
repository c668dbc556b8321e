/** What clients of a router may make it keep. */
export type RouterLimits = {
  /** Alerts in memory; further ones are refused until some have ended. */
  readonly alerts: number;
  /** Groups in memory: an alert may be in several. */
  readonly groups: number;
  /** Labels, and annotations, of one alert. */
  readonly labels: number;
  /** Characters of the labels and annotations of one alert together. */
  readonly alertLength: number;
  /** Silences, including those that have expired and are kept. */
  readonly silences: number;
  /** Matchers of one silence, and characters of its texts together. */
  readonly matchers: number;
  readonly silenceLength: number;
};

export const ROUTER_LIMITS: RouterLimits = {
  alerts: 100_000,
  groups: 200_000,
  labels: 128,
  alertLength: 65_536,
  silences: 10_000,
  matchers: 64,
  silenceLength: 65_536,
};
