// Names of temporary files: `.~doctray-<data folder>-<start>-<random>.tmp`. The first mark tells the hosts of other data
// folders apart, the second one earlier starts of this host, so that only true leftovers are ever removed.

export interface TempNames {
  next(): string;
  /** Left behind by an earlier start of this very host. */
  isLeftover(name: string): boolean;
}

export function createTempNames(deps: { dataFolderId: string; randomText: () => string }): TempNames {
  const mine = `.~doctray-${deps.dataFolderId.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 8)}-`;
  const now = `${mine}${deps.randomText()}-`;
  return {
    next: () => `${now}${deps.randomText()}.tmp`,
    isLeftover: (name) => name.startsWith(mine) && !name.startsWith(now) && name.endsWith('.tmp'),
  };
}
