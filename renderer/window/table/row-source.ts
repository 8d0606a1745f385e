// What a table draws its rows from: an order of rows in memory, or a remote list of which some rows are loaded.

import { useLayoutEffect, useMemo, useRef } from 'react';
import { orderRows } from './row-order.ts';
import type { RowList } from './row-selection.ts';
import type { Remote } from './column.ts';

export interface RowSource<Row> extends RowList {
  at(index: number): Row | undefined;
  byId(id: string): Row | undefined;
}

function createLocalSource<Row extends { id: string }>(order: readonly Row[]): RowSource<Row> {
  let places: Map<string, number> | undefined;
  const indexOf = (id: string) => {
    places ??= new Map(order.map((row, index) => [row.id, index]));
    return places.get(id) ?? -1;
  };
  return {
    count: order.length,
    at: (index) => order[index],
    idAt: (index) => order[index]?.id,
    indexOf,
    byId: (id) => order[indexOf(id)],
  };
}

export interface LocalOrder<Row> {
  rows: readonly Row[];
  compare(a: Row, b: Row): number;
  matches: ((row: Row) => boolean) | undefined;
  isHeld: boolean;
}

/** Rows in memory, ordered; a row that stays shown keeps its place while `isHeld`, unless the sorting changed. */
export function useLocalSource<Row extends { id: string }>(input: LocalOrder<Row>): RowSource<Row> {
  const { rows, compare, matches, isHeld } = input;
  const before = useRef<{ order: readonly Row[]; compare: unknown }>(undefined);
  const order = useMemo(() => {
    const shown = before.current?.compare === compare ? before.current.order : undefined;
    return orderRows({ rows, shown, compare, matches, isHeld });
  }, [rows, compare, matches, isHeld]);
  useLayoutEffect(() => {
    before.current = { order, compare };
  }, [order, compare]);
  return useMemo(() => createLocalSource(order), [order]);
}

/** Places of rows are remembered as they are seen; a row may be selected and out of sight. */
export function useRemoteSource<Row extends { id: string }>(
  remote: Remote<Row> | undefined,
): RowSource<Row> | undefined {
  const seen = useRef(new Map<string, { row: Row; index: number }>());
  const total = remote?.total;
  const revision = remote?.revision;
  const latest = useRef(remote);
  latest.current = remote;
  return useMemo(() => {
    // `revision` is named so that another answer makes another source
    void revision;
    if (total === undefined) return undefined;
    const at = (index: number) => {
      const row = latest.current?.rowAt(index);
      if (row !== undefined) seen.current.set(row.id, { row, index });
      return row;
    };
    const indexOf = (id: string) => {
      const index = seen.current.get(id)?.index ?? -1;
      return index !== -1 && latest.current?.rowAt(index)?.id === id ? index : -1;
    };
    return {
      count: total,
      at,
      idAt: (index) => at(index)?.id,
      indexOf,
      byId: (id) => seen.current.get(id)?.row,
    };
  }, [total, revision]);
}
