// Read-only previews: .docx in a frame without network or storage, PDFs in the browser's viewer, and images.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { strToU8, zipSync } from 'fflate';
import type { Frame } from 'playwright';
import {
  newContext,
  pace,
  startTextEditorLab,
  until,
  type OpenTextEditor,
  type TextEditorLab,
} from './open-text-editor.ts';

const letter = join(import.meta.dirname, '..', 'fixtures', 'letter.docx');
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A preview polls every two seconds. */
const longerThanAPollMs = 2500 / pace;

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

async function previewOf(editor: OpenTextEditor): Promise<Frame> {
  const frame = await until('the preview’s frame', () =>
    editor.page.frames().find((candidate) => candidate.url().endsWith('/assets/preview.html')),
  );
  await frame.locator('section.docx').first().waitFor();
  return frame;
}

describe('a .docx', () => {
  it('is shown without locking or writing it, with a hint on how to edit it, and again when it changes on disk', async () => {
    await lab.write('letter.docx', await readFile(letter));
    const editor = await lab.open('letter.docx');
    const frame = await previewOf(editor);
    await frame.getByText('Minutes').waitFor();
    assert.equal(await editor.status(), 'Read only');
    assert.deepEqual(await editor.notices(), [
      'Read-only preview. Connect ONLYOFFICE or Collabora to edit this document.',
    ]);
    assert.deepEqual(
      editor
        .calls()
        .map(({ operation }) => operation)
        .filter((name) => !['CHECK_FILE_INFO', 'GET_FILE'].includes(name)),
      [],
    );
    assert.equal(await frame.evaluate(() => globalThis.origin), 'null');
    assert.deepEqual(editor.problems, []);

    await lab.write('letter.docx', hostileDocx());
    await until('the new text', async () => {
      const frames = editor.page.frames().filter((frame) => frame.url().endsWith('preview.html'));
      const texts = await Promise.all(
        frames.map(async (frame) =>
          frame
            .locator('body')
            .innerText()
            .catch(() => ''),
        ),
      );
      return texts.some((text) => text.includes('Visible text'));
    });
    await lab.write('letter.docx', 'not a zip');
    await editor.frame.getByText('This document can’t be previewed.').waitFor();
    await editor.close();
  });

  it('shows embedded pictures, loads nothing and runs nothing, whatever it contains', async () => {
    await lab.write('hostile.docx', hostileDocx());
    const context = await newContext(lab.browser);
    const requests: string[] = [];
    context.on('request', (request) => {
      const isOwn = new RegExp(`^(?:blob:|about:|http://localhost:\\d+/(?:view|assets|wopi/files)\\b)`);
      if (!isOwn.test(request.url())) requests.push(request.url());
    });
    const editor = await lab.open('hostile.docx', { context });
    const frame = await previewOf(editor);
    await frame.getByText('Visible text').waitFor();
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
    await frame.getByText('Header text').waitFor();
    await frame.getByText('item').waitFor();
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
    assert.equal(context.pages().length, 1);
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
    await editor.leave();
    await context.close();
  });

  it('says so when the preview can’t be loaded, and shows a newer version', async () => {
    await lab.write('letter.docx', await readFile(letter));
    const context = await newContext(lab.browser);
    const route = '**/assets/preview.js';
    await context.route(route, async (call) => call.fulfill({ status: 404 }));
    const editor = await lab.open('letter.docx', { context });
    await editor.frame.getByText('This document can’t be previewed.').waitFor();
    await context.unroute(route);
    await lab.write('letter.docx', hostileDocx());
    await previewOf(editor);
    await editor.leave();
    await context.close();
  });

  it('says when its token was revoked, stops calling the host, and continues with a new token', async () => {
    await lab.write('letter.docx', await readFile(letter));
    const editor = await lab.open('letter.docx', { isEmbedded: true });
    await previewOf(editor);
    lab.revokeTokens();
    await editor.frame.getByText('Your access to this document was revoked.').waitFor();
    const calls = editor.calls().length;
    await pause(longerThanAPollMs);
    assert.equal(editor.calls().length, calls);
    const { accessToken } = await lab.host.access('letter.docx', { mode: 'edit' });
    await editor.say('Reset_Access_Token', { token: accessToken, ttl: 0 });
    await until('no notice', async () => (await editor.notices()).length === 1);
    await lab.write('letter.docx', hostileDocx());
    await until('the new text', async () => {
      const frames = editor.page.frames().filter((frame) => frame.url().endsWith('preview.html'));
      const shown = await frames
        .at(-1)
        ?.locator('body')
        .innerText()
        .catch(() => '');
      return shown?.includes('Visible text');
    });
    await editor.close();
  });
});

describe('a picture', () => {
  it('is shown as the type of its extension, so it runs nothing when it contains HTML', async () => {
    await lab.write('pixel.png', pixel);
    const editor = await lab.open('pixel.png');
    const image = editor.frame.locator('.picture img');
    await until('the picture', async () =>
      image.evaluate((element) => (element as HTMLImageElement).naturalWidth === 1),
    );
    assert.equal(await image.getAttribute('alt'), 'pixel.png');
    assert.deepEqual(editor.problems, []);

    await lab.write('pixel.png', '<html><script>window.attacked = 1</script></html>');
    await editor.frame.getByText('This image can’t be shown.').waitFor();
    assert.equal(await editor.frame.evaluate(() => 'attacked' in window), false);
    await editor.close();
  });

  it('opens as text when it is an SVG', async () => {
    await lab.write('drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="window.attacked = 1"/>');
    const editor = await lab.open('drawing.svg');
    await editor.untilStatus('Saved');
    assert.match(await editor.text(), /^<svg/);
    assert.equal(await editor.frame.evaluate(() => 'attacked' in window), false);
    await editor.close();
  });
});

describe('a PDF', () => {
  it('is offered as a download when it is damaged', async () => {
    const files = {
      'empty.pdf': '',
      'letter.pdf': 'Dear Ada',
    };
    for (const [name, content] of Object.entries(files)) {
      await lab.write(name, content);
      const editor = await lab.open(name);
      await editor.frame.getByText('This file isn’t a complete PDF, so it can’t be shown.').waitFor();
      assert.equal(await editor.frame.locator('iframe').count(), 0);
      const downloading = editor.page.waitForEvent('download');
      await editor.frame.getByRole('button', { name: 'Download' }).click();
      assert.equal((await downloading).suggestedFilename(), name);
      assert.deepEqual(editor.problems, []);
      await editor.close();
    }
  });

  it('is shown by the browser, or offered as a download without a viewer', async () => {
    await lab.write(
      'paper.pdf',
      '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n',
    );
    for (const hasViewer of [true, false]) {
      const context = await newContext(lab.browser);
      await context.addInitScript((has) => {
        Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => has });
      }, hasViewer);
      const editor = await lab.open('paper.pdf', { context });
      if (hasViewer) {
        const viewer = editor.frame.locator('iframe.viewer');
        assert.match((await viewer.getAttribute('src')) ?? '', /^blob:/);
      } else {
        await editor.frame.getByText('This browser doesn’t show PDF documents in a page.').waitFor();
        const downloading = editor.page.waitForEvent('download');
        await editor.frame.getByRole('button', { name: 'Download' }).click();
        assert.equal((await downloading).suggestedFilename(), 'paper.pdf');
      }
      assert.deepEqual(editor.problems, []);
      await editor.leave();
      await context.close();
    }
  });
});
