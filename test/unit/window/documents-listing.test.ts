import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CommandArgs } from '../../../app/commands/commands.ts';
import type { DocumentItem, DocumentPage } from '../../../app/contract/results.ts';
import { eventually } from '../../durability/eventually.ts';
import type { Call } from '../../../renderer/window/state/call.ts';
import { createListing } from '../../../renderer/window/documents/listing.ts';
import { nameProblem } from '../../../renderer/window/documents/names.ts';

interface Asked {
  args: CommandArgs<'documents.list'>;
  answer(): void;
}

function documentOf(path: string): DocumentItem {
  const noVersions = { versionCount: 0, versionBytes: 0 };
  return { kind: 'document', fileId: path, path, name: path, size: 1, lastModifiedMs: 1, ...noVersions };
}

/** A listing whose requests are answered when the test says so. */
function startListing(...names: string[]) {
  const asked: Asked[] = [];
  let all = names.map(documentOf);
  const list = async (args: Asked['args']) =>
    new Promise<DocumentPage>((resolve) => {
      const { path, startIndex, count } = args;
      asked.push({
        args,
        answer: () => {
          const items = all.slice(startIndex, startIndex + count);
          resolve({ path, startIndex, items, total: all.length });
        },
      });
    });
  const listing = createListing((async (_name: string, args: Asked['args']) => list(args)) as Call, '');
  listing.show('');
  return {
    listing,
    asked,
    names: () => listing.snapshot().items.map(({ name }) => name),
    answer: async (index: number) => {
      asked[index]?.answer();
      await new Promise((resolve) => setImmediate(resolve));
    },
    become: (...items: string[]) => {
      all = items.map(documentOf);
    },
  };
}

describe('the listing of a folder', () => {
  it('drops the response for a folder that is no longer shown', async () => {
    const { listing, answer } = startListing('a', 'b');
    listing.show('other');
    await answer(0);
    assert.equal(listing.snapshot().status, 'loading');
    await answer(1);
    assert.equal(listing.snapshot().status, 'ready');
    assert.equal(listing.snapshot().folder, 'other');
  });

  it('keeps the old items during a refresh, and refreshes again after changes in the meantime', async () => {
    const { listing, asked, answer, become, names } = startListing('a', 'b');
    await answer(0);
    await eventually('read', () => assert.equal(listing.snapshot().isReading, false));
    become('a', 'b', 'c');
    for (let count = 0; count < 3; count += 1) listing.refresh();
    assert.deepEqual(names(), ['a', 'b']);
    await eventually('three changes, one request', () => assert.equal(asked.length, 2));
    await answer(1);
    await eventually('the response may be older than the last change', async () =>
      assert.equal(asked.length, 3),
    );
    assert.equal(listing.snapshot().isReading, true);
    await answer(2);
    assert.deepEqual(names(), ['a', 'b', 'c']);
    assert.deepEqual([asked.length, listing.snapshot().isReading], [3, false]);
  });
});

it('a typed name is valid on every system, visible and free', () => {
  const cases: [stem: string, extension: string, problem: RegExp | null][] = [
    ['Offer', '.docx', null],
    ['Offer v1.2', '.docx', null],
    ['  Offer  ', '.docx', null],
    ['naïve 名前 👩‍👩‍👧', '.odt', null],
    ['', '.docx', /^Type a name\.$/],
    ['   ', '.docx', /^Type a name\.$/],
    ['a/b', '.docx', /can’t contain “\/”/],
    ['a\\b', '.docx', /can’t contain “\\”/],
    ['a\u202eb', '.docx', /invisible characters/],
    ['a\u0007b', '.docx', /invisible characters/],
    ['.hidden', '.docx', /start with a dot are hidden/],
    ['~$letter', '.docx', /lock files/],
    ['folder.', '', /can’t end with a dot/],
    ['COM1', '.docx', /Windows/],
    ['console', '.docx', null],
    ['ä'.repeat(124), '.docx', null],
    ['ä'.repeat(126), '.docx', /too long/],
    ['Taken', '.docx', /“TAKEN\.docx” already exists/],
    ['Taken.DOCX', '.docx', /“TAKEN\.docx” already exists/],
    [' .docx', '.docx', /^Type a name\.$/],
  ];
  for (const [stem, extension, problem] of cases) {
    const found = nameProblem(stem, extension, ['TAKEN.docx']);
    if (problem === null) assert.equal(found, null, stem);
    else assert.match(found ?? '', problem, stem);
  }
});
