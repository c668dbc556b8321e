/**
 * Generated series of a fleet of services: counters with six to nine labels, histograms of twelve buckets, gauges, and a build_info to join
 * with. Labels and values depend only on the number of the series and the step, so that nothing is stored and every run has the same data.
 */
export class Fleet {
  readonly count: number;

  /** `count` is rounded down to a multiple of 100. */
  constructor(count: number) {
    this.count = Math.max(100, Math.floor(count / 100) * 100);
  }

  /** The average number of labels of a series, and of octets in their names and values. */
  get about(): { readonly octets: number; readonly labels: number } {
    let octets = 0;
    let labels = 0;
    for (let series = 0; series < this.count; series += 7) {
      const list = this.labels(series);
      labels += list.length;
      for (const [name, value] of list) octets += name.length + value.length;
    }
    const sampled = Math.ceil(this.count / 7);
    return { octets: octets / sampled, labels: labels / sampled };
  }

  /** Sorted by name. */
  labels(series: number): [name: string, value: string][] {
    const place = series % 100;
    const instance = (series - place) / 100;
    const job = JOBS[instance % JOBS.length] ?? "";
    const common: [string, string][] = [
      ["cluster", "production-eu-west-1"],
      ["instance", address(instance)],
      ["job", job],
      ["namespace", `${job.split("-", 1)[0] ?? ""}-production`],
      ["pod", `${job}-${(instance * 2_654_435_761).toString(36).slice(-9)}-${instance.toString(36).padStart(5, "x")}`],
    ];
    return [...own(place, instance), ...common].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** The value at a step. Counters never decrease. */
  value(series: number, step: number): number {
    const place = series % 100;
    if (place === KIND.info) return 1;
    if (place >= KIND.gauges) return (mix(series, step) % 10_000) / 8 + (mix(series, 0) % 1_000_000);
    // All buckets of a histogram count the same requests.
    const bucket = place < KIND.buckets ? 0 : (place - KIND.buckets) % BOUNDS.length;
    const source = series - bucket;
    const rate = 1 + (mix(source, 0) % 200);
    const counted = rate * (step + 100) + (mix(source, step + 1) % rate);
    return place < KIND.buckets || place >= KIND.others ? counted : Math.floor((counted * (SHARES[bucket] ?? 1)) / 100);
  }
}

const address = (instance: number): string => `10.${(instance >> 14) & 255}.${(instance >> 7) & 127}.${instance & 127}:9100`;

/** The start of each kind among the hundred series of an instance: 10 request counters, 48 buckets of 4 histograms, 31 other counters, 10 gauges, 1 info. */
const KIND = { buckets: 10, others: 58, gauges: 89, info: 99 } as const;
const JOBS = Array.from({ length: 20 }, (_, job) => `${["payments", "orders", "search", "identity"][job % 4] ?? ""}-service-${job}`);
const PATHS = ["/api/v1/orders", "/api/v1/customers/search", "/api/v2/invoices/export", "/static/assets", "/internal/health/live"];
const BOUNDS = ["0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1", "2.5", "5", "10", "+Inf"];
/** The percentage of requests within each bound. */
const SHARES = [2, 8, 21, 40, 60, 78, 88, 93, 96, 98, 99, 100];

function own(place: number, instance: number): [string, string][] {
  if (place < KIND.buckets)
    return [
      ["__name__", "http_server_requests_total"],
      ["method", place % 2 === 0 ? "GET" : "POST"],
      ["path", PATHS[place % PATHS.length] ?? ""],
      ["status", place < 5 ? "200" : "503"],
    ];
  if (place < KIND.others) {
    const histogram = Math.floor((place - KIND.buckets) / BOUNDS.length);
    return [
      ["__name__", "http_server_request_duration_seconds_bucket"],
      ["le", BOUNDS[(place - KIND.buckets) % BOUNDS.length] ?? ""],
      ["method", "GET"],
      ["path", PATHS[histogram + 1] ?? ""],
    ];
  }
  if (place < KIND.gauges)
    return [
      ["__name__", `runtime_${["scheduler", "collector", "allocator", "network"][place % 4] ?? ""}_events_${place}_total`],
      ["container", "application-container"],
      ["region", "eu-west"],
      ["zone", `eu-west-1${"abc"[instance % 3] ?? ""}`],
    ];
  if (place < KIND.info)
    return [
      ["__name__", "process_resident_memory_bytes"],
      ["container", `worker-container-${place - KIND.gauges}`],
      ["region", "eu-west"],
      ["zone", `eu-west-1${"abc"[instance % 3] ?? ""}`],
    ];
  return [
    ["__name__", "service_build_info"],
    ["revision", (mix(instance % 7, 7) + 0x1000_0000).toString(16)],
    ["version", `1.${instance % 7}.0`],
  ];
}

/** A 31-bit hash. */
function mix(series: number, step: number): number {
  let hash = Math.imul(series ^ 0x9e37_79b9, 0x85eb_ca6b) ^ Math.imul(step + 1, 0xc2b2_ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
  hash = Math.imul(hash ^ (hash >>> 13), 0x297a_2d39);
  return (hash ^ (hash >>> 16)) >>> 1;
}
