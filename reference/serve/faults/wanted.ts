/** Which faults a server performs. */
export type Wanted = {
  /** On every connection, by name: `drop:octets=10,how=reset`. `touchstone serve http1 --list-faults` prints them. */
  readonly faults?: readonly string[] | undefined;
  /** Whether requests may ask for faults in the field `touchstone-fault`; false by default. */
  readonly faultByRequest?: boolean | undefined;
};
