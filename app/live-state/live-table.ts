// One of the window's tables: remembers its rows, reads again only those that may have changed, and tells what is another row
// now. A row also says when time alone will change it, so that nobody has to look before.

export interface Row<Item> {
  item: Item;
  /** When the row may change without anybody doing anything; Infinity for never. */
  dueAtMs: number;
}

export interface RowSource<Item> {
  all(): Iterable<Row<Item>>;
  /** Undefined when there is no such row any more. */
  one(id: string): Row<Item> | undefined;
}

export interface TableChange<Item> {
  upsert: Item[];
  remove: string[];
}

export interface LiveTable<Item> {
  /** May have changed; read at the next `fold`. */
  mark(id: string): void;
  markAll(): void;
  /** Marks the rows whose moment has come. */
  markDue(nowMs: number): void;
  /** No row changes by time before this moment. */
  soonestMs(): number;
  isMarked(): boolean;
  /** Reads what is marked; undefined when nothing is another row now. Throws what the source throws, and keeps the marks then. */
  fold(): TableChange<Item> | undefined;
  find(id: string): Item | undefined;
  /** The same array for as long as no row changed. */
  items(): Item[];
}

export interface LiveTableDeps<Item> {
  source: () => RowSource<Item>;
  /** Told of every row that is another one now. */
  onRow?: (before: Item | undefined, after: Item | undefined) => void;
}

export function createLiveTable<Item extends { id: string }>(deps: LiveTableDeps<Item>): LiveTable<Item> {
  const rows = new Map<string, Row<Item>>();
  const marked = new Set<string>();
  let isAllMarked = true;
  let soonestMs = Number.POSITIVE_INFINITY;
  let items: Item[] | undefined;

  const put = (row: Row<Item>, change: TableChange<Item>): void => {
    soonestMs = Math.min(soonestMs, row.dueAtMs);
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
      if (nowMs < soonestMs) return;
      soonestMs = Number.POSITIVE_INFINITY;
      for (const [id, { dueAtMs }] of rows) {
        if (dueAtMs > nowMs) soonestMs = Math.min(soonestMs, dueAtMs);
        else if (!isAllMarked) marked.add(id);
      }
    },

    soonestMs: () => soonestMs,
    isMarked: () => isAllMarked || marked.size > 0,

    fold() {
      const change: TableChange<Item> = { upsert: [], remove: [] };
      const source = deps.source();
      if (isAllMarked) {
        const there = new Set<string>();
        for (const row of source.all()) {
          there.add(row.item.id);
          put(row, change);
        }
        for (const id of rows.keys()) if (!there.has(id)) drop(id, change);
      } else {
        // All is read before anything is remembered: a reading that fails loses no change.
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

/** Of plain data. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const [keys, otherKeys] = [Object.keys(one), Object.keys(other)];
  if (keys.length !== otherKeys.length) return false;
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return keys.every((key) => Object.hasOwn(right, key) && isSame(left[key], right[key]));
}
