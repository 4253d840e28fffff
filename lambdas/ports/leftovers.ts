/** What the service made at run time, and CloudFormation therefore does not know of. */
export interface Leftovers {
  /** Stops whatever could make more of it. A second call is harmless. */
  stopObserving(): Promise<void>;
  /** Deletes the alarms of clusters and zones; gives how many there were. */
  deleteAlarms(): Promise<number>;
  /** Deletes the objects of the bucket; gives how many there were. */
  deleteObjects(): Promise<number>;
}

/** Time as the cleaning sees it. */
export interface Patience {
  /** Milliseconds left before the caller must have its answer. */
  remaining(): number;
  wait(milliseconds: number): Promise<void>;
}
