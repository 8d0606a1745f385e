// The Markdown preview beside the text. What a document says becomes a handful of harmless elements: no script, no style, no form, no
// image from anywhere, no address to load from. The page's content security policy forbids the same things a second time.

import type { Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { t } from '../../app/contract/messages.ts';

export type MarkdownPreview = ReturnType<typeof createMarkdownPreview>;

/** Above it, a preview would take longer than anybody waits. */
const maxLength = 500_000;
const delayMs = 120;
/** A long document is drawn less often, so that typing stays quick. */
const restFactor = 5;
/** Narrower, text and preview take turns in little room: it is shown on demand. */
const wideEnough = 900;
const shownKey = 'doctray-preview';

export function createMarkdownPreview(body: HTMLElement, view: EditorView) {
  const content = document.createElement('div');
  content.className = 'markdown';
  const pane = document.createElement('section');
  pane.className = 'preview';
  pane.tabIndex = 0;
  pane.ariaLabel = t('editor.preview');
  pane.append(content);
  body.append(pane);
  let rendered: Text | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** How long the latest drawing took. */
  let drawMs = 0;
  let render: ((markdown: string) => string | TrustedHTML) | undefined;
  /** What the document's own links lead to, by fragment. */
  let targets: ReadonlyMap<string, HTMLElement> = new Map();
  /** The side that the user scrolls; the other follows. */
  let leads: 'text' | 'preview' = 'text';

  function schedule(): void {
    if (pane.hidden || timer !== undefined || view.state.doc === rendered) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        void draw();
      },
      Math.max(delayMs, drawMs * restFactor),
    );
  }

  async function draw(): Promise<void> {
    let startedAtMs = performance.now();
    try {
      render ??= (await import('./markdown.ts')).renderMarkdown;
      startedAtMs = performance.now();
      const { doc } = view.state;
      rendered = doc;
      if (doc.length > maxLength) {
        say(t('editor.the-preview-isnt-shown-for'));
        return;
      }
      const hadFocus = content.contains(document.activeElement);
      content.innerHTML = render(doc.toString()) as string;
      targets = linkTargets(content, pane);
      makeWideBlocksReachable(content);
      // The focused link is gone: without this, Tab would start at the top of the page.
      if (hadFocus) pane.focus({ preventScroll: true });
      if (leads === 'text') followText();
    } catch {
      say(t('editor.this-document-cant-be-previewed'));
    } finally {
      drawMs = performance.now() - startedAtMs;
    }
  }

  function say(sentence: string): void {
    const paragraph = document.createElement('p');
    paragraph.textContent = sentence;
    content.replaceChildren(paragraph);
  }

  /** The address of the page stays: the browser would keep an entry of its history for each link. */
  function followLink(event: MouseEvent): void {
    const link = (event.target as Element).closest('a[href^="#"]');
    if (link === null) return;
    event.preventDefault();
    const target = targets.get(fragmentOf(link)) ?? pane;
    if (target === pane) pane.scrollTop = 0;
    else target.scrollIntoView();
    target.focus({ preventScroll: true });
  }
  content.addEventListener('click', followLink);
  content.addEventListener('auxclick', (event) => {
    // Only the middle button opens links.
    if (event.button === 1) followLink(event);
  });

  /** Where each block of the document begins, in the text's lines and in the preview's pixels. */
  function anchors(): { line: number; top: number }[] {
    const marks = [...content.children].flatMap((block) => {
      const line = block instanceof HTMLElement ? Number(block.dataset['line']) : NaN;
      // The first line belongs to the top, above the padding.
      return line > 1 ? [{ line, top: (block as HTMLElement).offsetTop }] : [];
    });
    return [{ line: 1, top: 0 }, ...marks, { line: view.state.doc.lines + 1, top: content.scrollHeight }];
  }

  /** What one side shows at `place`, as a place of the other side. */
  function across(from: 'line' | 'top', to: 'line' | 'top', place: number): number | undefined {
    const marks = anchors();
    const next = marks.findIndex((mark) => mark[from] > place);
    const before = marks[next - 1];
    const after = marks[next];
    if (before === undefined || after === undefined) return undefined;
    const part = (place - before[from]) / (after[from] - before[from] || 1);
    return before[to] + part * (after[to] - before[to]);
  }

  function followText(): void {
    const top = view.scrollDOM.scrollTop;
    const block = view.lineBlockAtHeight(top);
    const part = block.height === 0 ? 0 : (top - block.top) / block.height;
    pane.scrollTop = across('line', 'top', view.state.doc.lineAt(block.from).number + part) ?? pane.scrollTop;
  }

  function followPreview(): void {
    const line = across('top', 'line', pane.scrollTop);
    if (line === undefined) return;
    const { doc } = view.state;
    const block = view.lineBlockAt(doc.line(Math.max(1, Math.min(doc.lines, Math.floor(line)))).from);
    view.scrollDOM.scrollTop = block.top + (line % 1) * block.height;
  }

  for (const event of ['pointerenter', 'focusin', 'wheel', 'touchstart'] as const) {
    pane.addEventListener(event, () => (leads = 'preview'), { passive: true });
    view.dom.addEventListener(event, () => (leads = 'text'), { passive: true });
  }
  view.dom.addEventListener('keydown', () => (leads = 'text'));
  view.scrollDOM.addEventListener('scroll', () => {
    if (!pane.hidden && leads === 'text') followText();
  });
  pane.addEventListener('scroll', () => {
    if (leads === 'preview') followPreview();
  });

  const sizes = new ResizeObserver(() => makeWideBlocksReachable(content));
  sizes.observe(pane);

  function setShown(isShown: boolean): void {
    pane.hidden = !isShown;
    body.classList.toggle('has-preview', isShown);
    if (isShown) schedule();
  }

  const remembered = readShown();
  setShown(remembered ?? innerWidth >= wideEnough);

  return {
    isShown: () => !pane.hidden,
    setShown(isShown: boolean) {
      setShown(isShown);
      try {
        localStorage.setItem(shownKey, String(isShown));
      } catch {
        // storage is blocked: the next document begins as this one did
      }
    },
    /** The text may have changed. */
    update: schedule,
    close() {
      clearTimeout(timer);
      sizes.disconnect();
      pane.remove();
      body.classList.remove('has-preview');
    },
  };
}

/** Only code and tables that are wider than the preview are reached with Tab, so that the arrow keys can scroll them. */
function makeWideBlocksReachable(content: HTMLElement): void {
  for (const block of content.querySelectorAll<HTMLElement>('pre, table')) {
    if (block.scrollWidth <= block.clientWidth) {
      // A focused one stays focused.
      if (block !== document.activeElement) block.removeAttribute('tabindex');
      continue;
    }
    block.tabIndex = 0;
    if (block.localName === 'pre') block.role = 'group';
    block.ariaLabel = t(block.localName === 'pre' ? 'editor.code' : 'editor.table');
  }
}

/**
 * Gives each heading an id as GitHub does, finds the document's own anchors, and takes the address from links that lead nowhere.
 * @param top where `#` and `#top` lead
 */
function linkTargets(content: HTMLElement, top: HTMLElement): ReadonlyMap<string, HTMLElement> {
  const targets = new Map([
    ['', top],
    ['top', top],
  ]);
  const nextCounts = new Map<string, number>();
  for (const heading of content.querySelectorAll<HTMLElement>('h1, h2, h3, h4, h5, h6')) {
    const slug = slugOf(heading.textContent);
    let unique = slug;
    let count = nextCounts.get(slug) ?? 1;
    for (; targets.has(unique); count += 1) unique = `${slug}-${count}`;
    nextCounts.set(slug, count);
    targets.set(unique, heading);
    // The prefix keeps it apart from the ids of the page.
    heading.id = `heading-${unique}`;
    heading.tabIndex = -1;
  }
  for (const anchor of content.querySelectorAll<HTMLElement>('[data-anchor]')) {
    const name = anchor.dataset['anchor']?.toLowerCase() ?? '';
    if (targets.has(name)) continue;
    targets.set(name, anchor);
    anchor.tabIndex = -1;
  }
  for (const link of content.querySelectorAll('a[href^="#"]'))
    if (!targets.has(fragmentOf(link))) link.removeAttribute('href');
  return targets;
}

/** `Größe & C++` becomes `größe--c`. */
function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

function fragmentOf(link: Element): string {
  const fragment = link.getAttribute('href')?.slice(1) ?? '';
  try {
    return decodeURIComponent(fragment).toLowerCase();
  } catch {
    return fragment;
  }
}

function readShown(): boolean | undefined {
  try {
    const stored = localStorage.getItem(shownKey);
    return stored === null ? undefined : stored === 'true';
  } catch {
    return undefined;
  }
}
