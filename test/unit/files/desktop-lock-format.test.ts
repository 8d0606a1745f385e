import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  libreOfficeLockName,
  officeOwnerNames,
  parseLibreOfficeLock,
  parseOfficeOwner,
} from '../../../app/files/desktop-lock-format.ts';
import { fc } from '../../random.ts';

test('a LibreOffice lock is named after the whole file name', () => {
  assert.equal(libreOfficeLockName('Report.odt'), '.~lock.Report.odt#');
});

test('Word drops the first letter of a 7-letter stem and two of a longer one', () => {
  assert.deepEqual(officeOwnerNames('Letter.docx'), ['~$Letter.docx']);
  assert.deepEqual(officeOwnerNames('Letters.docx'), ['~$etters.docx']);
  assert.deepEqual(officeOwnerNames('Contract.docx'), ['~$ntract.docx']);
  assert.deepEqual(officeOwnerNames('Contract.v2.RTF'), ['~$ntract.v2.RTF']);
});

test('Excel and PowerPoint drop none, and other documents get both names', () => {
  assert.deepEqual(officeOwnerNames('Contract.xlsx'), ['~$Contract.xlsx']);
  assert.deepEqual(officeOwnerNames('Contract.pptx'), ['~$Contract.pptx']);
  assert.deepEqual(officeOwnerNames('Contract.htm'), ['~$Contract.htm', '~$ntract.htm']);
  assert.deepEqual(officeOwnerNames('Readme'), ['~$Readme']);
});

test('parses the fields of a LibreOffice lock with their escapes', () => {
  const bytes = Buffer.from(
    'Zoë M\\,\\;\\\\,zoe,desk.example,20.11.2026 15:03,file:///home/zoe/.config/libreoffice/4;',
  );
  assert.deepEqual(parseLibreOfficeLock(bytes), {
    person: 'Zoë M,;\\',
    systemUser: 'zoe',
    host: 'desk.example',
    profileUrl: 'file:///home/zoe/.config/libreoffice/4',
  });
  assert.deepEqual(parseLibreOfficeLock(Buffer.from(',root,vm,20.11.2026 15:03,;')), {
    person: null,
    systemUser: 'root',
    host: 'vm',
    profileUrl: null,
  });
});

test('rejects text that is not a LibreOffice lock', () => {
  for (const text of ['', ';', 'a,b,c,d;', 'a,b,c,d,e', 'a,b,c,d,e,f;', 'a\\x,b,c,d,e;', 'a,b,c,d,e\\']) {
    assert.equal(parseLibreOfficeLock(Buffer.from(text)), undefined, text);
  }
});

/** An owner file as Word (162 bytes, zeros) or Excel (165 bytes, spaces) writes it. */
function ownerFile(name: string, program: 'Word' | 'Excel', ansi = Buffer.from(name, 'latin1')): Buffer {
  const at = program === 'Word' ? 54 : 55;
  const bytes = Buffer.alloc(program === 'Word' ? 162 : 165, program === 'Word' ? 0 : ' ');
  bytes[0] = ansi.length;
  ansi.copy(bytes, 1);
  bytes.writeUInt16LE(name.length, at);
  if (program === 'Excel') Buffer.from(' '.repeat(54), 'utf16le').copy(bytes, at + 2);
  Buffer.from(name, 'utf16le').copy(bytes, at + 2);
  return bytes;
}

test('reads the owner of an Office file from the UTF-16 copy', () => {
  for (const program of ['Word', 'Excel'] as const) {
    assert.equal(parseOfficeOwner(ownerFile('Zoë Müller', program)), 'Zoë Müller');
    assert.equal(parseOfficeOwner(ownerFile('日本 太郎', program, Buffer.from('?? ??'))), '日本 太郎');
    assert.equal(parseOfficeOwner(ownerFile('A', program)), 'A');
    assert.equal(parseOfficeOwner(ownerFile('x'.repeat(52), program)), 'x'.repeat(52));
    assert.equal(parseOfficeOwner(ownerFile('x'.repeat(32), program)), 'x'.repeat(32));
  }
});

test('without the UTF-16 copy, reads only an ASCII name', () => {
  assert.equal(parseOfficeOwner(Buffer.from('\u0004Anna')), 'Anna');
  assert.equal(parseOfficeOwner(Buffer.from([4, 0x41, 0xe9, 0xe9, 0x41])), null);
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.alloc(162),
    Buffer.alloc(4096, 0xff),
    Buffer.from('\u0009Anna'),
  ]) {
    assert.equal(parseOfficeOwner(bytes), null);
  }
});

test('parses any bytes without an error, into names without control characters', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const names = [parseOfficeOwner(bytes), ...Object.values(parseLibreOfficeLock(bytes) ?? {})];
      for (const name of names) if (name !== null) assert.doesNotMatch(name, /[\p{Cc}\p{Cf}\p{Cs}]|^$/u);
    }),
  );
});
