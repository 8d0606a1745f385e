// The frame that the editor runs in. It is opened by posting a form, so that no address contains the access token. Messages count only
// from this frame's window and one of the editor's origins.

import type { IssuedToken, OpenedPage } from '../../app/contract/page-calls.ts';
import { readMessage, type EditorMessage } from './messages.ts';

export type EditorFrame = ReturnType<typeof createEditorFrame>;

/** Posts a token to an address with a form: into a frame, or in place of the page (`_top`). */
export function postToken(
  action: string,
  { accessToken, accessTokenTtl }: IssuedToken,
  target: string,
  more: Readonly<Record<string, string>> = {},
): void {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action, target, hidden: true });
  const fields = { access_token: accessToken, access_token_ttl: String(accessTokenTtl), ...more };
  for (const [name, value] of Object.entries(fields))
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
  document.body.append(form);
  form.submit();
  // Don't leave the token in the page.
  form.remove();
}

function originOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).origin : null;
}

export function createEditorFrame(
  frame: HTMLIFrameElement,
  events: {
    message(message: EditorMessage): void;
    /** The Content-Security-Policy blocked the frame from going to this origin; null if the browser doesn't tell which. */
    blocked(origin: string | null): void;
  },
) {
  let origins: readonly string[] = [];
  /** The origin of the frame's latest message, or the expected one. */
  let origin: string | null = null;
  const announcedAt = new Set<string>();

  function post(MessageId: string, Values: Record<string, unknown> = {}): void {
    const message = JSON.stringify({ MessageId, SendTime: Date.now(), Values });
    if (origin !== null) frame.contentWindow?.postMessage(message, origin);
  }

  /**
   * Microsoft's and Collabora's editors wait until the host announces that it listens. An editor's page may be too early to hear that,
   * so it's announced once per stage. Announced after every message, it would be answered by another one, forever.
   */
  function announce(stage: string): void {
    if (announcedAt.has(stage)) return;
    announcedAt.add(stage);
    post('Host_PostmessageReady');
  }

  addEventListener('message', (event: MessageEvent<unknown>) => {
    if (event.source === null || event.source !== frame.contentWindow || !origins.includes(event.origin))
      return;
    const message = readMessage(event.data);
    if (message === undefined) return;
    ({ origin } = event);
    if (message.kind === 'loading') announce(message.stage);
    events.message(message);
  });
  frame.addEventListener('load', () => announce('page'));
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    if (['frame-src', 'child-src', 'form-action'].includes(effectiveDirective))
      events.blocked(originOf(blockedURI));
  });

  return {
    /** Loads the editor, or loads it again with another token. */
    load(opened: Pick<OpenedPage, 'action' | 'formFields' | 'editorOrigins'>, token: IssuedToken): void {
      origins = opened.editorOrigins;
      origin = originOf(opened.action);
      announcedAt.clear();
      postToken(opened.action, token, frame.name, opened.formFields);
    },
    post,
    focus: () => frame.focus(),
    /** The user goes on in the editor. */
    grabFocus(): void {
      post('Grab_Focus');
      frame.focus();
    },
    /** Removes the editor's page, so that its server notices that the user has left. */
    remove: () => frame.remove(),
  };
}
