// What every kind of secret store can do.

export interface Secrets {
  /** Undefined when there is none of this name. */
  get(name: string): Promise<string | undefined>;
  /** Kept for good when it resolves. */
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
}
