import type { Written } from "./kube-testing.ts";

/** A small cluster with everything that becomes a label. */

const tags = { labels: { app: "web", "app.kubernetes.io/name": "n" }, annotations: { "example.com/a-b": "c", empty: "" } };
const owned = (kind: string, name: string) => ({
  ownerReferences: [
    { kind: "Other", name: "x" },
    { kind, name, controller: true },
  ],
});

const WEB: Written = {
  kind: "pods",
  metadata: { name: "web-1", namespace: "shop", uid: "u-1", ...tags, ...owned("ReplicaSet", "web-rs") },
  spec: {
    nodeName: "node-1",
    containers: [
      {
        name: "main",
        image: "web:1",
        ports: [
          { name: "http", containerPort: 8080, protocol: "TCP" },
          { name: "admin", containerPort: 9000, protocol: "TCP" },
        ],
      },
      { name: "side", image: "side:1" },
    ],
    initContainers: [{ name: "init", image: "init:1", ports: [{ containerPort: 7000, protocol: "UDP" }] }],
  },
  status: {
    podIP: "10.0.0.1",
    hostIP: "192.0.2.1",
    phase: "Running",
    conditions: [
      { type: "Initialized", status: "True" },
      { type: "Ready", status: "True" },
    ],
    containerStatuses: [{ name: "main", containerID: "containerd://abc" }],
    initContainerStatuses: [{ name: "init", containerID: "containerd://def" }],
  },
} as Written;
const BATCH: Written = {
  kind: "pods",
  metadata: { name: "report-1", namespace: "jobs", uid: "u-2", ...owned("Job", "report") },
  spec: { nodeName: "node-2", containers: [{ name: "main", image: "r:1", ports: [{ containerPort: 1, protocol: "TCP" }] }] },
  status: { podIP: "2001:db8::5", phase: "Pending" },
} as Written;
const STARTING: Written = {
  kind: "pods",
  metadata: { name: "web-2", namespace: "shop", uid: "u-3" },
  spec: { containers: [{ name: "main", image: "web:1" }] },
  status: { phase: "Pending" },
} as Written;

const pod = (name: string) => ({ kind: "Pod", namespace: "shop", name });

export const PODS: readonly Written[] = [WEB, BATCH, STARTING];
export const CLUSTER: readonly Written[] = [
  ...PODS,
  { kind: "namespaces", metadata: { name: "shop", ...tags } },
  { kind: "namespaces", metadata: { name: "jobs" } },
  { kind: "replicasets", metadata: { name: "web-rs", namespace: "shop", ...owned("Deployment", "web") } },
  { kind: "jobs", metadata: { name: "report", namespace: "jobs", ...owned("CronJob", "nightly") } },
  {
    kind: "nodes",
    metadata: { name: "node-1", ...tags },
    spec: { providerID: "cloud://1" },
    status: {
      addresses: [
        { type: "Hostname", address: "node-1.example" },
        { type: "ExternalIP", address: "198.51.100.1" },
        { type: "InternalIP", address: "192.0.2.1" },
        { type: "InternalIP", address: "192.0.2.11" },
      ],
      conditions: [
        { type: "Ready", status: "True" },
        { type: "MemoryPressure", status: "Unknown" },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    },
  } as Written,
  { kind: "nodes", metadata: { name: "node-2" }, status: { addresses: [{ type: "Hostname", address: "node-2" }] } } as Written,
  {
    kind: "services",
    metadata: { name: "web", namespace: "shop", ...tags },
    spec: {
      type: "ClusterIP",
      clusterIP: "10.96.0.1",
      ports: [
        { name: "http", port: 80, protocol: "TCP" },
        { name: "dns", port: 53, protocol: "UDP" },
      ],
    },
  } as Written,
  {
    kind: "services",
    metadata: { name: "far", namespace: "shop" },
    spec: { type: "ExternalName", externalName: "far.example", ports: [{ port: 443, protocol: "TCP" }] },
  } as Written,
  {
    kind: "services",
    metadata: { name: "balanced", namespace: "shop" },
    spec: { type: "LoadBalancer", clusterIP: "10.96.0.2", loadBalancerIP: "203.0.113.9", ports: [{ port: 1, protocol: "TCP" }] },
    status: { loadBalancer: { ingress: [{ ip: "203.0.113.1" }, { hostname: "h" }, { ip: "203.0.113.2" }] } },
  } as Written,
  {
    kind: "endpoints",
    metadata: { name: "web", namespace: "shop", ...tags },
    subsets: [
      {
        addresses: [
          { ip: "10.0.0.1", nodeName: "node-1", hostname: "web-1", targetRef: pod("web-1") },
          { ip: "10.0.0.9", targetRef: { kind: "Node", name: "node-2" } },
        ],
        notReadyAddresses: [{ ip: "10.0.0.2", targetRef: pod("gone") }],
        ports: [{ name: "http", port: 8080, protocol: "TCP" }],
      },
    ],
  } as Written,
  {
    kind: "endpoints",
    metadata: { name: "alone", namespace: "jobs" },
    subsets: [{ addresses: [{ ip: "10.0.1.1" }], ports: [{ port: 1 }] }],
  } as Written,
  {
    kind: "endpointslices",
    metadata: { name: "web-abc", namespace: "shop", labels: { "kubernetes.io/service-name": "web" }, annotations: { a: "b" } },
    addressType: "IPv4",
    ports: [
      { name: "http", port: 8080, protocol: "TCP", appProtocol: "http" },
      { name: "any", protocol: "TCP" },
    ],
    endpoints: [
      {
        addresses: ["10.0.0.1"],
        conditions: { ready: true, serving: true, terminating: false },
        hostname: "web-1",
        nodeName: "node-1",
        zone: "z1",
        deprecatedTopology: { "topology.kubernetes.io/region": "r1" },
        targetRef: pod("web-1"),
      },
      { addresses: ["10.0.0.7"], conditions: {}, targetRef: { kind: "Node", name: "node-2" } },
    ],
  } as Written,
  {
    kind: "ingresses",
    metadata: { name: "front", namespace: "shop", ...tags },
    spec: {
      ingressClassName: "nginx",
      tls: [{ hosts: ["*.shop.example"] }],
      rules: [
        { host: "a.shop.example", http: { paths: [{ path: "/x" }, { path: "" }] } },
        { host: "a.b.shop.example", http: { paths: [{ path: "/" }] } },
        { host: "plain.example" },
      ],
    },
  } as Written,
];
