// One of the window's tables: caches its rows, reads again only those that may have changed, and returns the differences. A row also
// carries the time at which it changes by itself, so that it isn't read before.

export interface Row<Item> {
  item: Item;
  /** When the row may change without an event; Infinity: never. */
  dueAtMs: number;
}

export interface RowSource<Item> {
  all(): Iterable<Row<Item>>;
  /** Undefined if the row no longer exists. */
  one(id: string): Row<Item> | undefined;
}

export interface TableChange<Item> {
  upsert: Item[];
  remove: string[];
}

export interface LiveTable<Item> {
  /** The row may have changed; the next `fold` reads it. */
  mark(id: string): void;
  markAll(): void;
  /** Marks the rows whose time has come. */
  markDue(nowMs: number): void;
  /** Before this time no row changes without an event. */
  nextDueAtMs(): number;
  isMarked(): boolean;
  /** Reads the marked rows; undefined if none changed. If the source throws, rows stay marked. */
  fold(): TableChange<Item> | undefined;
  find(id: string): Item | undefined;
  /** The same array until a row changes. */
  items(): Item[];
}

export interface LiveTableDeps<Item> {
  source: () => RowSource<Item>;
  /** Called for each changed row. */
  onRow?: (before: Item | undefined, after: Item | undefined) => void;
}

export function createLiveTable<Item extends { id: string }>(deps: LiveTableDeps<Item>): LiveTable<Item> {
  const rows = new Map<string, Row<Item>>();
  const marked = new Set<string>();
  let isAllMarked = true;
  let nextDueAtMs = Number.POSITIVE_INFINITY;
  let items: Item[] | undefined;

  const put = (row: Row<Item>, change: TableChange<Item>): void => {
    nextDueAtMs = Math.min(nextDueAtMs, row.dueAtMs);
    const { item } = row;
    const before = rows.get(item.id);
    if (before !== undefined && isSame(before.item, item)) {
      before.dueAtMs = row.dueAtMs;
      return;
    }
    rows.set(item.id, row);
    change.upsert.push(item);
    deps.onRow?.(before?.item, item);
  };

  const drop = (id: string, change: TableChange<Item>): void => {
    const before = rows.get(id);
    if (before === undefined) return;
    rows.delete(id);
    change.remove.push(id);
    deps.onRow?.(before.item, undefined);
  };

  return {
    mark(id) {
      if (!isAllMarked) marked.add(id);
    },

    markAll() {
      isAllMarked = true;
      marked.clear();
    },

    markDue(nowMs) {
      if (nowMs < nextDueAtMs) return;
      nextDueAtMs = Number.POSITIVE_INFINITY;
      for (const [id, { dueAtMs }] of rows) {
        if (dueAtMs > nowMs) nextDueAtMs = Math.min(nextDueAtMs, dueAtMs);
        else if (!isAllMarked) marked.add(id);
      }
    },

    nextDueAtMs: () => nextDueAtMs,
    isMarked: () => isAllMarked || marked.size > 0,

    fold() {
      const change: TableChange<Item> = { upsert: [], remove: [] };
      const source = deps.source();
      if (isAllMarked) {
        const presentIds = new Set<string>();
        for (const row of source.all()) {
          presentIds.add(row.item.id);
          put(row, change);
        }
        for (const id of rows.keys()) if (!presentIds.has(id)) drop(id, change);
      } else {
        // Everything is read before anything is cached: a failed read must not lose a change.
        const read = Array.from(marked, (id) => ({ id, row: source.one(id) }));
        for (const { id, row } of read) {
          if (row === undefined) drop(id, change);
          else put(row, change);
        }
      }
      isAllMarked = false;
      marked.clear();
      if (change.upsert.length === 0 && change.remove.length === 0) return undefined;
      items = undefined;
      return change;
    },

    find: (id) => rows.get(id)?.item,
    items: () => (items ??= Array.from(rows.values(), ({ item }) => item)),
  };
}

/** Compares plain data. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const [keys, otherKeys] = [Object.keys(one), Object.keys(other)];
  if (keys.length !== otherKeys.length) return false;
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return keys.every((key) => Object.hasOwn(right, key) && isSame(left[key], right[key]));
}
