// Read-only previews: .docx in a frame without network or storage, PDFs in the browser's viewer, and images.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { strToU8, zipSync } from 'fflate';
import type { Frame } from 'playwright';
import { startTextEditorLab, type OpenTextEditor, type TextEditorLab } from './open-text-editor.ts';
import { until } from '../until.ts';

const letter = await readFile(join(import.meta.dirname, '..', 'fixtures', 'letter.docx'));
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let lab: TextEditorLab;
before(async () => {
  lab = await startTextEditorLab();
});
after(async () => lab.close());

const w = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const r = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A .docx that tries everything a document can to load, link and run something. */
function hostileDocx(): Buffer {
  const evil = 'https://evil.example';
  const picture = (id: string): string =>
    `<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:extent cx="100000" cy="100000"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip ${id}/></pic:blipFill><pic:spPr/></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
  const body = [
    '<w:p><w:r><w:t>Visible text</w:t></w:r></w:p>',
    '<w:p><w:r><w:t>&lt;script&gt;parent.attacked=1&lt;/script&gt;&lt;img src="https://evil.example/t.png"&gt;</w:t></w:r></w:p>',
    picture('r:link="rImage"'),
    picture('r:embed="rImage"'),
    picture('r:embed="rSvg"'),
    picture('r:embed="rOwn"'),
    picture('r:embed="rMissing"'),
    picture(''),
    '<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" style="width:10pt;height:10pt;background:url(https://evil.example/vml.png)"><v:imagedata r:id="rImage" src="https://evil.example/src.png"/></v:shape></w:pict></w:r></w:p>',
    '<w:p><w:fldSimple w:instr="INCLUDEPICTURE &quot;https://evil.example/field.png&quot;"><w:r><w:t>field</w:t></w:r></w:fldSimple></w:p>',
    '<w:p><w:hyperlink r:id="rScript"><w:r><w:t>script link</w:t></w:r></w:hyperlink></w:p>',
    '<w:p><w:hyperlink r:id="rWeb"><w:r><w:t>web link</w:t></w:r></w:hyperlink></w:p>',
    '<w:p><w:pPr><w:pStyle w:val="Evil"/></w:pPr><w:r><w:rPr><w:rFonts w:ascii="x; } body { background: url(https://evil.example/font.png) } a {" /><w:color w:val="url(https://evil.example/color.png)"/></w:rPr><w:t>styled</w:t></w:r></w:p>',
    '<w:altChunk r:id="rChunk"/>',
    '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>item</w:t></w:r></w:p>',
    '<w:sectPr><w:headerReference w:type="default" r:id="rHeader"/></w:sectPr>',
  ].join('');
  const xml = (text: string): Uint8Array => strToU8(`<?xml version="1.0" encoding="UTF-8"?>${text}`);
  const rels = (list: string): Uint8Array =>
    xml(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list}</Relationships>`,
    );
  const rel = (id: string, type: string, target: string, isExternal = false): string =>
    `<Relationship Id="${id}" Type="${relation}/${type}" Target="${target}"${isExternal ? ' TargetMode="External"' : ''}/>`;
  return Buffer.from(
    zipSync({
      '[Content_Types].xml': xml(
        `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="svg" ContentType="image/svg+xml"/><Default Extension="html" ContentType="text/html"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Default Extension="png" ContentType="image/png"/>${['styles', 'numbering', 'header'].map((part) => `<Override PartName="/word/${part.replace('header', 'header1')}.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.${part}+xml"/>`).join('')}</Types>`,
      ),
      '_rels/.rels': rels(rel('rMain', 'officeDocument', 'word/document.xml')),
      'word/document.xml': xml(
        `<w:document xmlns:w="${w}" xmlns:r="${r}"><w:body>${body}</w:body></w:document>`,
      ),
      'word/styles.xml': xml(
        `<w:styles xmlns:w="${w}"><w:style w:type="paragraph" w:styleId="Evil"><w:name w:val="Evil"/><w:rPr><w:rFonts w:ascii="a'; } @import url(${evil}/import.css); b { background: url(${evil}/style.png)"/></w:rPr></w:style></w:styles>`,
      ),
      'word/_rels/document.xml.rels': rels(
        [
          rel('rStyles', 'styles', 'styles.xml'),
          rel('rImage', 'image', `${evil}/image.png`, true),
          rel('rSvg', 'image', 'media/evil.svg'),
          rel('rOwn', 'image', 'media/own.png'),
          rel('rNumbering', 'numbering', 'numbering.xml'),
          rel('rHeader', 'header', 'header1.xml'),
          rel('rScript', 'hyperlink', 'javascript:parent.attacked=1', true),
          rel('rWeb', 'hyperlink', `${evil}/page`, true),
          rel('rTemplate', 'attachedTemplate', `${evil}/template.dotm`, true),
          rel('rChunk', 'aFChunk', 'chunk.html'),
        ].join(''),
      ),
      'word/header1.xml': xml(
        `<w:hdr xmlns:w="${w}" xmlns:r="${r}"><w:p><w:r><w:t>Header text</w:t></w:r></w:p>${picture('r:embed="rOwn"')}</w:hdr>`,
      ),
      'word/numbering.xml': xml(
        `<w:numbering xmlns:w="${w}" xmlns:r="${r}"><w:numPicBullet w:numPicBulletId="0"><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" style="width:9pt;height:9pt"><v:imagedata r:id="rBullet"/></v:shape></w:pict></w:numPicBullet><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val=""/><w:lvlPicBulletId w:val="0"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
      ),
      'word/_rels/numbering.xml.rels': rels(rel('rOther', 'image', 'media/none.png')),
      'word/media/own.png': pixel,
      'word/media/evil.svg': strToU8(
        `<svg xmlns="http://www.w3.org/2000/svg" onload="parent.attacked=1"><script>parent.attacked=1</script><image href="${evil}/svg.png"/></svg>`,
      ),
      'word/chunk.html': strToU8(
        `<html><body onload="parent.attacked=1"><script>parent.attacked=1;fetch("${evil}/chunk")</script><img src="${evil}/chunk.png">chunk text</body></html>`,
      ),
    }),
  );
}

/** Waits until the preview of a .docx shows this text. A changed document gets a new frame. */
async function preview({ page }: OpenTextEditor, text: string): Promise<Frame> {
  return until(`the preview of ${text}`, async () => {
    const frame = page.frames().findLast((one) => one.url().endsWith('/assets/preview.html'));
    const shown = await frame
      ?.locator('body')
      .innerText()
      .catch(() => '');
    return shown?.includes(text) === true && frame;
  });
}

async function assertDownloads({ page, press }: OpenTextEditor, name: string): Promise<void> {
  const downloading = page.waitForEvent('download');
  await press('Download');
  assert.equal((await downloading).suggestedFilename(), name);
}

it('a .docx is shown without locking or writing it, loads and runs nothing, whatever it contains, and is shown again when it changes on disk and after its token was revoked', async () => {
  await lab.write('letter.docx', letter);
  const editor = await lab.open('letter.docx', { around: 'recorder' });
  assert.match(editor.frame.url(), /\/view\?/u);
  const first = await preview(editor, 'Minutes');
  assert.equal(await editor.status(), 'Read only');
  const notices = ['Read-only preview. Connect ONLYOFFICE or Collabora to edit this document.'];
  assert.deepEqual(await editor.notices(), notices);
  assert.equal(await first.evaluate(() => globalThis.origin), 'null');
  assert.deepEqual(editor.problems, []);

  const requests: string[] = [];
  editor.page.on('request', (request) => {
    const isOwn = /^(?:blob:|about:|http:\/\/localhost:\d+\/(?:view|assets|wopi\/files)\b)/;
    if (!isOwn.test(request.url())) requests.push(request.url());
  });
  await lab.write('letter.docx', hostileDocx());
  const frame = await preview(editor, 'Visible text');
  // a link does nothing, and shows its target as a title
  await frame.getByText('web link').click();
  await frame.getByText('script link').click();
  assert.equal(await frame.getByText('Visible text').count(), 1, 'the frame stays where it is');
  assert.deepEqual(
    await frame
      .locator('a')
      .evaluateAll((links) => links.map((link) => [link.getAttribute('href'), link.getAttribute('title')])),
    [
      [null, 'javascript:parent.attacked=1'],
      [null, 'https://evil.example/page'],
    ],
  );
  assert.equal(await frame.getByText('chunk text').count(), 0);
  for (const text of ['Header text', 'item']) await frame.getByText(text).waitFor();
  const pictures = await frame
    .locator('img')
    .evaluateAll((images) =>
      images.map((image) => [
        (image as HTMLImageElement).src.replace(/^(blob:).*/, '$1'),
        (image as HTMLImageElement).naturalWidth,
      ]),
    );
  assert.deepEqual(
    pictures.filter(([, width]) => width === 1),
    [['blob:', 1]],
    'the embedded picture is shown',
  );
  assert.ok(
    pictures.every(([source]) => source === 'blob:'),
    'no others are requested',
  );
  assert.equal(await frame.locator('script[src*="evil"], iframe, object, embed').count(), 0);
  assert.equal(await editor.frame.evaluate(() => 'attacked' in window), false);
  assert.equal(editor.context.pages().length, 1);
  // even a script in the frame would reach nothing
  const reached = await frame.evaluate(async () => {
    const tried = [
      fetch('/assets/preview.html').then(
        () => 'fetch',
        () => '',
      ),
      new Promise((resolve) => {
        const image = new Image();
        image.addEventListener('load', () => resolve('image'));
        image.addEventListener('error', () => resolve(''));
        image.src = '/assets/text-editor.css';
      }),
    ];
    let storage = '';
    try {
      storage = `${window.localStorage.length} items`;
    } catch {
      // access is denied
    }
    let parent = '';
    try {
      parent = window.parent.document.URL;
    } catch {
      // access is denied
    }
    return [...(await Promise.all(tried)), storage, parent];
  });
  assert.deepEqual(reached, ['', '', '', '']);
  assert.deepEqual(requests, []);
  // caused by the attempts above
  const tried = /assets\/(?:preview\.html|text-editor\.css)|localStorage|frame with origin/;
  assert.deepEqual(
    editor.problems.filter((problem) => !tried.test(problem)),
    [],
  );

  lab.revokeTokens();
  await editor.untilShown('Your access to this document was revoked.');
  const calls = editor.calls().length;
  await lab.write('letter.docx', letter);
  // By the page's own timers, so the next poll would come first.
  await editor.frame.evaluate(async () => new Promise((resolve) => setTimeout(resolve, 2100)));
  assert.equal(editor.calls().length, calls, 'it has stopped calling the host');
  const { accessToken } = await lab.host.access('letter.docx', { mode: 'edit' });
  await editor.say('Reset_Access_Token', { token: accessToken, ttl: 0 });
  await preview(editor, 'Minutes');
  assert.deepEqual(await editor.notices(), notices);

  const script = '**/assets/preview.js';
  await editor.context.route(script, async (call) => call.fulfill({ status: 404 }));
  await lab.write('letter.docx', hostileDocx());
  await editor.untilShown('This document can’t be previewed.');
  await editor.context.unroute(script);
  await lab.write('letter.docx', letter);
  await preview(editor, 'Minutes');
  await lab.write('letter.docx', 'not a zip');
  await editor.untilShown('This document can’t be previewed.');
  const reading = ['CHECK_FILE_INFO', 'GET_FILE'];
  assert.ok(editor.calls().every(({ operation }) => reading.includes(operation)));
  await editor.close();
});

it('a picture is shown as the type of its extension, so it runs nothing when it contains HTML', async () => {
  await lab.write('pixel.png', pixel);
  const editor = await lab.open('pixel.png');
  const image = editor.frame.locator('.picture img');
  await until('the picture', async () =>
    image.evaluate((element) => (element as HTMLImageElement).naturalWidth === 1),
  );
  assert.equal(await image.getAttribute('alt'), 'pixel.png');
  assert.deepEqual(editor.problems, []);

  await lab.write('pixel.png', '<html><script>window.attacked = 1</script></html>');
  await editor.untilShown('This image can’t be shown.');
  assert.equal(await editor.frame.evaluate(() => 'attacked' in window), false);
  await editor.close();
});

it('a PDF is shown by the browser, or offered as a download if it is damaged or there is no viewer', async () => {
  await lab.write('paper.pdf', '');
  const editor = await lab.open('paper.pdf');
  const viewer = editor.frame.locator('iframe.viewer');
  const damaged = 'This file isn’t a complete PDF, so it can’t be shown.';
  await editor.untilShown(damaged);
  assert.equal(await viewer.count(), 0);
  await assertDownloads(editor, 'paper.pdf');

  const pdf =
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n';
  for (const hasViewer of [false, true]) {
    await editor.frame.evaluate((has) => {
      Object.defineProperty(navigator, 'pdfViewerEnabled', { value: has, configurable: true });
    }, hasViewer);
    await lab.write('paper.pdf', `${pdf}% ${hasViewer}\n`);
    if (hasViewer) {
      await viewer.waitFor();
      assert.match((await viewer.getAttribute('src')) ?? '', /^blob:/);
    } else {
      await editor.untilShown('This browser doesn’t show PDF documents in a page.');
      await assertDownloads(editor, 'paper.pdf');
    }
  }
  await lab.write('paper.pdf', 'Dear Ada');
  await editor.untilShown(damaged);
  assert.deepEqual(editor.problems, []);
  await editor.close();
});
