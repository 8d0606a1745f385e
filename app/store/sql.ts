// SQL as typed functions. A table module writes each statement once, with its parameters and row type, and each row once, as
// columns: its type, its SELECT and its INSERT are derived from them.

// oxlint-disable typescript/no-unnecessary-type-parameters -- SQL has no types of its own: its author states them

import type { Database } from 'better-sqlite3';

/** A column of a row: the SQL that reads it and, as a type only, its value. */
export interface Column<Value> {
  sql: string | undefined;
  value?: Value;
}

export type Columns = Record<string, Column<unknown>>;

export type RowOf<Described extends Columns> = {
  [Key in keyof Described]: Described[Key] extends Column<infer Value> ? Value : never;
};

/** @param sql an expression; defaults to the column with this key's name in snake_case */
export function column<Value>(sql?: string): Column<Value> {
  return { sql };
}

/**
 * The cached rows that a statement may change and that must be read again. `nothing`: it writes no column of a cached row.
 * Otherwise the row with that key in the cache of that name. `row`, if given, computes the row after the statement, so that `keepingRows`
 * needn't read it again.
 */
type Drops<Params extends unknown[]> =
  | 'everything'
  | 'nothing'
  | {
      cache: string;
      key: (...params: Params) => string;
      row?: (before: AnyRow, ...params: Params) => AnyRow;
    };
type AnyRow = object | undefined;

/** By name, for each database: several modules prepare their statements for the same one. */
const caches = new WeakMap<Database, Map<string, Map<string, unknown>>>();
/** More than the documents that are open at the same time. */
const maxCachedRows = 10_000;

/** Databases in a transaction whose rows stay cached as they are written. */
const keeping = new WeakSet<Database>();

/** Runs a whole transaction. What it writes to cached rows needn't be read again. */
export function keepingRows<Result>(db: Database, transaction: () => Result): Result {
  keeping.add(db);
  try {
    return transaction();
  } catch (error) {
    dropCachedRows(db);
    throw error;
  } finally {
    keeping.delete(db);
  }
}

/** For statements that aren't prepared by `statements`. */
export function dropCachedRows(db: Database): undefined {
  for (const cache of caches.get(db)?.values() ?? []) cache.clear();
}

/**
 * Prepares statements now and returns each as a function. Its arguments are the values of the `?`, in order; those of all
 * `@names` are in one object, anywhere among them.
 */
export function statements(db: Database) {
  const prepare = <Row>(sql: string) => db.prepare<unknown[], Row>(sql);
  const prepareReading = <Row>(sql: string) => {
    const statement = prepare<Row>(sql);
    if (!statement.readonly) throw new Error(`Use runReturning for a statement that writes: ${sql}`);
    return statement;
  };

  /** The first row. */
  const one = <Params extends unknown[], Row>(sql: string, isFirstColumn = false) => {
    const statement = prepareReading<Row>(sql).pluck(isFirstColumn);
    return (...params: Params): Row | undefined => statement.get(...params);
  };
  const all = <Params extends unknown[], Row>(sql: string, isFirstColumn = false) => {
    const statement = prepareReading<Row>(sql).pluck(isFirstColumn);
    return (...params: Params): Row[] => statement.all(...params);
  };
  /** The first column of the first row. */
  const value = <Params extends unknown[], Value>(sql: string) => one<Params, Value>(sql, true);
  /** The first column of all rows. */
  const values = <Params extends unknown[], Value>(sql: string) => all<Params, Value>(sql, true);
  /** Returns whether there is a row. */
  const has = <Params extends unknown[]>(sql: string) => {
    const first = one<Params, unknown>(sql);
    return (...params: Params): boolean => first(...params) !== undefined;
  };
  const cacheOf = (name: string): Map<string, unknown> => {
    const byName = caches.get(db) ?? new Map<string, Map<string, unknown>>();
    caches.set(db, byName);
    const cache = byName.get(name) ?? new Map<string, unknown>();
    byName.set(name, cache);
    return cache;
  };
  /**
   * Caches what `read` returns for a key until a statement may have changed it: no other process writes to the database. Nothing
   * read in a transaction is cached, since it may be rolled back, except in `keepingRows`. The row is frozen: a change to it would
   * outlive a rollback.
   */
  const cached = <Row>(name: string, read: (key: string) => Row | undefined) => {
    const cache = cacheOf(name) as Map<string, Row | undefined>;
    return (key: string): Row | undefined => {
      const kept = cache.get(key);
      if (kept !== undefined || cache.has(key)) return kept;
      const row = Object.freeze(read(key));
      if (db.inTransaction && !keeping.has(db)) return row;
      if (cache.size >= maxCachedRows) cache.clear();
      cache.set(key, row);
      return row;
    };
  };
  /** Drops the rows. Returns what caches the one that was written. */
  const dropperOf = <Params extends unknown[]>(drops: Drops<Params>) => {
    if (drops === 'nothing') return () => undefined;
    if (drops === 'everything') return (): undefined => dropCachedRows(db);
    const cache = cacheOf(drops.cache);
    return (...params: Params) => {
      const key = drops.key(...params);
      const before = cache.get(key);
      if (!cache.delete(key) || drops.row === undefined || !keeping.has(db)) return undefined;
      const row = Object.freeze(drops.row(before as AnyRow, ...params));
      return () => cache.set(key, row);
    };
  };
  /** Returns whether it changed a row. */
  const run = <Params extends unknown[]>(sql: string, drops: Drops<Params> = 'everything') => {
    const statement = prepare(sql);
    const drop = dropperOf(drops);
    return (...params: Params): boolean => {
      const keep = drop(...params);
      const isChanged = statement.run(...params).changes > 0;
      if (isChanged) keep?.();
      return isChanged;
    };
  };
  /** As `values`, for a statement that writes: the column that its RETURNING names, of all rows it changed. */
  const runReturning = <Params extends unknown[], Value>(sql: string, drops: Drops<Params>) => {
    const statement = prepare<Value>(sql).pluck();
    const drop = dropperOf(drops);
    return (...params: Params): Value[] => {
      drop(...params);
      return statement.all(...params);
    };
  };

  /** Takes a whole row. */
  const insert = <Described extends Columns>(
    table: string,
    columns: Described,
    { verb = 'INSERT', drops }: { verb?: string; drops?: Drops<[RowOf<Described>]> } = {},
  ) => {
    const values = Object.keys(columns).map((key) => `@${key}`);
    return run<[RowOf<Described>]>(
      `${verb} INTO ${table} (${namesOf(columns).join(', ')}) VALUES (${values.join(', ')})`,
      drops,
    );
  };
  /**
   * As `one` and `all`, for statements that read the same columns: they add to `SELECT … FROM from`.
   * @param alias the table's, if another is joined
   */
  const select = <Described extends Columns>(columns: Described, from: string, alias?: string) => {
    const names = namesOf(columns, alias);
    const list = Object.keys(columns).map((key, index) => `${names[index]} AS ${key}`);
    const rows = `SELECT ${list.join(', ')} FROM ${from} `;
    return {
      one: <Params extends unknown[]>(rest: string) => one<Params, RowOf<Described>>(rows + rest),
      all: <Params extends unknown[]>(rest: string) => all<Params, RowOf<Described>>(rows + rest),
    };
  };
  return { one, all, value, values, has, cached, run, runReturning, insert, select };
}

/** The row with these columns only. */
export function pick<Described extends Columns>(columns: Described, row: RowOf<Described>): object {
  return Object.fromEntries(Object.keys(columns).map((key) => [key, row[key]]));
}

/** `name = @key, …`, for an UPDATE of all these columns. */
export function assignmentsOf(columns: Columns): string {
  const names = namesOf(columns);
  return Object.keys(columns)
    .map((key, index) => `${names[index]} = @${key}`)
    .join(', ');
}

function namesOf(columns: Columns, alias?: string): string[] {
  const snakeCase = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const prefix = alias === undefined ? '' : `${alias}.`;
  return Object.entries(columns).map(([key, { sql }]) => sql ?? prefix + snakeCase(key));
}
