// What every secret store can do.

export interface Secrets {
  /** Undefined if there is none with this name. */
  get(name: string): Promise<string | undefined>;
  /** Resolves once it is stored durably. */
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
}
