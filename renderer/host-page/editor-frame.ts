// The frame the editor runs in: opened by a form post, so that the access token is in no address; heard only when the
// window is this frame and its origin one of the editor's own. All else that is posted to the page is dropped.

import type { GivenToken, OpenedPage } from '../../app/contract/page-calls.ts';
import { messageText, readMessage, type EditorMessage } from './messages.ts';

export interface EditorFrame {
  /** Loads the editor, or loads it again with another token. */
  load(opened: Pick<OpenedPage, 'action' | 'formFields' | 'editorOrigins'>, token: GivenToken): void;
  post(name: string, values?: Record<string, unknown>): void;
  focus(): void;
  /** Takes the editor's page away, so that its server sees it leave. */
  remove(): void;
}

export interface EditorFrameEvents {
  message(message: EditorMessage): void;
  /** The page's own rules kept the frame from going there; the origin, or null where the browser does not say. */
  blocked(origin: string | null): void;
}

/** Posts a token to an address by a form: into a frame, or in place of the page (`_top`). */
export function postToken(
  action: string,
  token: GivenToken,
  target: string,
  more: Readonly<Record<string, string>> = {},
): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = action;
  form.target = target;
  form.hidden = true;
  for (const [name, value] of [
    ['access_token', token.accessToken],
    ['access_token_ttl', String(token.accessTokenTtl)],
    ...Object.entries(more),
  ] as const) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
  // the token is not left in the page
  form.remove();
}

function originOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).origin : null;
}

export function createEditorFrame(frame: HTMLIFrameElement, events: EditorFrameEvents): EditorFrame {
  let origins: readonly string[] = [];
  /** Where the frame spoke from last, or is expected to. */
  let origin: string | null = null;
  const toldAt = new Set<string>();

  function post(name: string, values: Record<string, unknown> = {}): void {
    if (origin === null) return;
    frame.contentWindow?.postMessage(messageText(name, values, Date.now()), origin);
  }

  /**
   * Microsoft's and Collabora's editors hold back until the host says that it listens, and a page that is not that far does not
   * hear it: said once at each stage. Said to every message, it would be answered by another for ever.
   */
  function sayReady(stage: string): void {
    if (toldAt.has(stage)) return;
    toldAt.add(stage);
    post('Host_PostmessageReady');
  }

  addEventListener('message', (event: MessageEvent<unknown>) => {
    if (event.source === null || event.source !== frame.contentWindow || !origins.includes(event.origin))
      return;
    const message = readMessage(event.data);
    if (message === undefined) return;
    ({ origin } = event);
    if (message.kind === 'loading') sayReady(message.stage);
    events.message(message);
  });
  frame.addEventListener('load', () => {
    sayReady('page');
  });
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    if (['frame-src', 'child-src', 'form-action'].includes(effectiveDirective))
      events.blocked(originOf(blockedURI));
  });

  return {
    load({ action, formFields, editorOrigins: allowed }, token) {
      origins = allowed;
      origin = originOf(action);
      toldAt.clear();
      const toThem = allowed.join(' ');
      frame.allow = `clipboard-read ${toThem}; clipboard-write ${toThem}; fullscreen ${toThem}`;
      postToken(action, token, frame.name, formFields);
    },
    post,
    focus: () => {
      frame.focus();
    },
    remove: () => {
      frame.remove();
    },
  };
}
