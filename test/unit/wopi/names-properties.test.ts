import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extensionOf } from '../../../app/contract/names.ts';
import {
  conflictName,
  requestedName,
  suggestedTargetName,
  uniqueName,
} from '../../../app/wopi/target-names.ts';
import { legalName, nameKey, nameWithSuffix } from '../../../app/wopi/names.ts';
import { fc } from '../../random.ts';

const anyUnit = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ' ',
      '.',
      '/',
      '\\',
      '~',
      '$',
      '_',
      'e',
      '\u0301',
      '\u0323',
      'ß',
      'Σ',
      '\u200d',
      '\u00ad',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('con', 'NUL', 'COM¹', '.docx', '.~lock.', '~$', 'desktop.ini', '👨‍👩‍👧'),
  },
);
const piece = fc.string({ unit: anyUnit, maxLength: 24 });
/** Any UTF-16, from empty to well over 255 bytes, with the special cases above more often than by chance. */
const anyName = fc
  .tuple(piece, fc.integer({ min: 0, max: 300 }), piece, fc.constantFrom('', '.docx', '.gz', '.'))
  .map(([start, count, end, extension]) => start + (start.at(-1) ?? 'x').repeat(count) + end + extension);
const runs = { numRuns: 2000 };

function assertLegal(name: string): void {
  assert.ok(name !== '');
  assert.ok(name.isWellFormed());
  assert.ok(Buffer.byteLength(name) <= 255, 'at most 255 bytes');
  assert.equal(name.normalize('NFC'), name);
  assert.doesNotMatch(name, /[/\\:*?"<>|\p{Cc}]/u);
  assert.doesNotMatch(name, /^[\s.]|[\s.]$|^~\$/u);
  assert.doesNotMatch(name, /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/iu);
  assert.equal(legalName(name), name, 'the legal form of a legal name is itself');
}

test('returns legal names, and leaves those unchanged', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const legal = legalName(name);
      if (legal !== undefined) assertLegal(legal);
    }),
    runs,
  );
});

test('keeps a legal extension whatever precedes it', () => {
  fc.assert(
    fc.property(anyName, fc.stringMatching(/^\.[a-zA-Z0-9é日]{1,9}$/u), (stem, extension) => {
      const legal = legalName(`x${stem}${extension}`);
      assert.ok(legal !== undefined);
      assert.equal(extensionOf(legal), extension);
    }),
    runs,
  );
});

test('targets are always legal, and renamed files keep their extension', () => {
  fc.assert(
    fc.property(anyName, anyName, (wanted, currentName) => {
      assertLegal(suggestedTargetName({ suggested: wanted, currentName }));
      assertLegal(conflictName(currentName, 0));
      assertLegal(nameWithSuffix(currentName, ' (1)'));
      const renamed = requestedName({
        requested: wanted,
        currentName: `x${legalName(currentName) ?? ''}.docx`,
      });
      if (renamed === undefined) return;
      assertLegal(renamed);
      assert.equal(extensionOf(renamed), '.docx');
    }),
    runs,
  );
});

test('a unique name is legal and not taken', () => {
  fc.assert(
    fc.property(
      anyName,
      fc.array(anyName, { maxLength: 5 }),
      fc.integer({ min: 0, max: 5 }),
      (name, others, copies) => {
        const taken = new Set(others.map(nameKey));
        for (let count = 0; count <= copies; count += 1) {
          const unique = uniqueName(count % 2 === 0 ? name : name.toUpperCase(), (candidate) =>
            taken.has(nameKey(candidate)),
          );
          assert.ok(unique !== undefined);
          assertLegal(unique);
          assert.ok(!taken.has(nameKey(unique)));
          taken.add(nameKey(unique));
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('the key of a name ignores case and normalization form', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const key = nameKey(name);
      assert.equal(nameKey(key), key);
      for (const form of ['NFC', 'NFD']) assert.equal(nameKey(name.normalize(form)), key);
      // Unicode guarantees this for decomposed text only: in other text, upper case separates an iota subscript from its marks.
      const decomposed = name.replace(/\p{Default_Ignorable_Code_Point}/gu, '').normalize('NFD');
      assert.equal(nameKey(decomposed.toUpperCase()), key);
      assert.equal(nameKey(decomposed.toLowerCase()), key);
    }),
    runs,
  );
});
