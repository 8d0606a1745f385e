// What every secret store can do.

export interface Secrets {
  /** Undefined if there is none with this name. */
  get(name: string): Promise<string | undefined>;
  /** Resolves once it is stored durably. */
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
}

/** A place that secrets can be moved to and from. */
export interface SecretPlace extends Secrets {
  all(): Promise<ReadonlyMap<string, string>>;
  /** Removes every secret, and the place itself. */
  destroy(): Promise<void>;
}
