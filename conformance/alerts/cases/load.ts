import type { Case } from "../vocabulary.ts";

/** All cases for alert routers. */
export async function routerCases(): Promise<readonly Case[]> {
  const files = [
    import("./server/1-api.ts"),
    import("./server/2-management.ts"),
    import("./server/3-routes.ts"),
    import("./server/4-groups.ts"),
    import("./server/5-inhibition.ts"),
    import("./server/6-silences.ts"),
    import("./server/7-times.ts"),
    import("./server/8-webhooks.ts"),
  ];
  return (await Promise.all(files)).flatMap((one) => one.cases);
}

/** All cases for senders of alerts. */
export async function senderCases(): Promise<readonly Case[]> {
  const files = [import("./client/1-requests.ts"), import("./client/2-routers.ts"), import("./client/3-life.ts")];
  return (await Promise.all(files)).flatMap((one) => one.cases);
}
