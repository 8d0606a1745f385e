import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLiveTable, isSame, type Row } from '../../../app/live-state/live-table.ts';

interface Thing {
  id: string;
  name: string;
  stale: { sinceMs: number } | null;
}

function thing(id: string, name = id, dueAtMs = Number.POSITIVE_INFINITY): Row<Thing> {
  return { item: { id, name, stale: null }, dueAtMs };
}

/** A source that counts its reads. */
function things(...rows: Row<Thing>[]) {
  const held = new Map(rows.map((row) => [row.item.id, row]));
  const reads = { all: 0, one: [] as string[] };
  const source = {
    all() {
      reads.all += 1;
      return [...held.values()].map(({ item, dueAtMs }) => ({ item: { ...item }, dueAtMs }));
    },
    one(id: string) {
      reads.one.push(id);
      const row = held.get(id);
      return row && { item: { ...row.item }, dueAtMs: row.dueAtMs };
    },
  };
  return { held, reads, source };
}

test('the first fold returns all rows, and later ones only marked rows that changed', () => {
  const { held, reads, source } = things(thing('a'), thing('b'));
  const table = createLiveTable<Thing>({ source: () => source });
  assert.deepEqual(
    table.fold()?.upsert.map(({ id }) => id),
    ['a', 'b'],
  );
  held.set('b', thing('b', 'changed'));
  table.mark('a');
  table.mark('b');
  assert.deepEqual(table.fold(), { upsert: [{ id: 'b', name: 'changed', stale: null }], remove: [] });
  assert.deepEqual(reads, { all: 1, one: ['a', 'b'] });
});

test('reads nothing while no row is marked', () => {
  const { reads, source } = things(thing('a'));
  const table = createLiveTable<Thing>({ source: () => source });
  table.fold();
  assert.equal(table.isMarked(), false);
  assert.equal(table.fold(), undefined);
  assert.deepEqual(reads, { all: 1, one: [] });
});

test('reports a removed row once', () => {
  const { held, source } = things(thing('a'), thing('b'), thing('c'));
  const table = createLiveTable<Thing>({ source: () => source });
  table.fold();
  held.delete('a');
  table.mark('a');
  assert.deepEqual(table.fold(), { upsert: [], remove: ['a'] });
  held.delete('b');
  table.markAll();
  assert.deepEqual(table.fold(), { upsert: [], remove: ['b'] });
  table.markAll();
  assert.equal(table.fold(), undefined);
});

test('ignores an unknown id', () => {
  const { source } = things(thing('a'));
  const table = createLiveTable<Thing>({ source: () => source });
  table.fold();
  table.mark('x');
  assert.equal(table.fold(), undefined);
});

test('marks only the rows that are due', () => {
  const { held, reads, source } = things(thing('a', 'a', 100), thing('b', 'b', 200), thing('c'));
  const table = createLiveTable<Thing>({ source: () => source });
  table.fold();
  assert.equal(table.nextDueAtMs(), 100);
  table.markDue(99);
  assert.equal(table.isMarked(), false);
  held.set('a', thing('a', 'stale', 300));
  table.markDue(100);
  table.fold();
  assert.deepEqual(reads.one, ['a']);
  assert.equal(table.nextDueAtMs(), 200);
  table.markDue(250);
  assert.equal(table.isMarked(), true);
});

test('keeps the same array while no row changes, and the same object for an unchanged row', () => {
  const { held, source } = things(thing('a'), thing('b'));
  const table = createLiveTable<Thing>({ source: () => source });
  table.fold();
  const before = table.items();
  table.markAll();
  table.fold();
  assert.equal(table.items(), before);
  held.set('b', thing('b', 'changed'));
  table.mark('b');
  table.fold();
  assert.notEqual(table.items(), before);
  assert.equal(table.items()[0], before[0]);
});

test('loses no change if a read fails', () => {
  const { held, source } = things(thing('a'), thing('b'));
  let isBroken = false;
  const table = createLiveTable<Thing>({
    source: () => ({
      all: source.all,
      one(id) {
        if (isBroken && id === 'b') throw new Error('closed');
        return source.one(id);
      },
    }),
  });
  table.fold();
  held.set('a', thing('a', 'changed'));
  table.mark('a');
  table.mark('b');
  isBroken = true;
  assert.throws(() => table.fold(), /closed/);
  isBroken = false;
  assert.deepEqual(
    table.fold()?.upsert.map(({ name }) => name),
    ['changed'],
  );
});

test('calls onRow with the row before and after a change', () => {
  const calls: [string | undefined, string | undefined][] = [];
  const { held, source } = things(thing('a'));
  const table = createLiveTable<Thing>({
    source: () => source,
    onRow: (before, after) => calls.push([before?.name, after?.name]),
  });
  table.fold();
  held.set('a', thing('a', 'new'));
  table.mark('a');
  table.fold();
  held.delete('a');
  table.mark('a');
  table.fold();
  assert.deepEqual(calls, [
    [undefined, 'a'],
    ['a', 'new'],
    ['new', undefined],
  ]);
});

test('compares rows deeply', () => {
  const one: Thing = { id: 'a', name: 'a', stale: { sinceMs: 1 } };
  assert.ok(isSame(one, structuredClone(one)));
  assert.ok(!isSame(one, { ...one, stale: { sinceMs: 2 } }));
  assert.ok(!isSame(one, { ...one, stale: null }));
  assert.ok(!isSame(['a'], ['a', 'b']));
  assert.ok(!isSame({ a: undefined }, { b: undefined }));
});
