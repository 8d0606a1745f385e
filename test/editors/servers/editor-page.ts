// The script of a scripted editor's page. It runs in the browser, in the host page's frame, and exchanges the messages of its
// product with the host page: JSON with MessageId, SendTime and Values, to the origin from CheckFileInfo.
// Collabora ignores messages before Host_PostmessageReady, and most messages before the document is loaded.

import type { PageCallResult, PageConfig, PageState } from './page-config.ts';

interface Message {
  MessageId?: string;
  Values?: Record<string, unknown>;
}

const byId = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;
const field = (id: string): string => (document.getElementById(id) as HTMLInputElement).value;
const config = JSON.parse(byId('config').textContent) as PageConfig;
const isCollabora = config.kind === 'collabora';
/** Collabora shows some buttons only if its URL has a parameter for them. */
const hasParameter = (name: string): boolean => new URLSearchParams(location.search).has(name);
let state: PageState | undefined;
let isHostReady = false;
let isLoaded = false;
let wasEdited = false;

function post(id: string, values: Record<string, unknown> = {}): void {
  // If CheckFileInfo failed, there is no origin, and Collabora posts to every origin.
  const origin = state?.origin === '' && isCollabora ? '*' : (state?.origin ?? '');
  if (origin === '') return;
  const text = JSON.stringify({ MessageId: id, SendTime: Date.now(), Values: values });
  window.parent.postMessage(text, origin);
}

async function callServer(verb: string, body: object = {}): Promise<PageCallResult> {
  const answer = await fetch(`${config.session}/${verb}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as PageCallResult;
}

function showStatus(text: string): void {
  byId('status').textContent = text;
}

function loaded(): void {
  if (state === undefined || isLoaded) return;
  if (state.failure !== '') {
    showStatus(state.failure);
    if (isCollabora) {
      // LibreOffice Online posts no further message.
      if (config.isLegacy) return;
      post('Action_Load_Resp', { success: false, result: '', errorMsg: state.failure });
      post('App_LoadingStatus', { Status: 'Failed' });
    }
    return;
  }
  isLoaded = true;
  showStatus(state.warning === '' ? (state.mode === 'edit' ? 'Editing' : 'Reading') : state.warning);
  // The button is for users who are allowed to edit.
  byId('edit').hidden = state.warning !== '';
  if (isCollabora) post('App_LoadingStatus', { Status: 'Document_Loaded' });
  else if (config.kind === 'office') post('App_LoadingStatus', { DocumentLoadedTime: Date.now() });
}

/** Both messages are posted before the document is loaded. */
function frameReady(): void {
  post('App_LoadingStatus', { Status: 'Frame_Ready', Features: { VersionStates: true } });
  post('Action_Load_Resp', { success: true, result: '' });
}

function show(next: PageState): void {
  const isFirst = state === undefined;
  const wasModified = state?.isModified ?? false;
  state = next;
  byId('name').textContent = next.name === '' ? 'No document' : next.name;
  byId('text').textContent = next.text;
  byId('people').textContent = next.people.join(', ');
  if (isFirst) {
    if (isCollabora) frameReady();
    // ONLYOFFICE posts this before it fetches the document, and even if that fails.
    if (config.kind === 'onlyoffice') {
      post('App_LoadingStatus', { Status: 'Document_Loaded', DocumentLoadedTime: Date.now() });
    }
    setTimeout(loaded, 10);
  }
  if (isCollabora && !isFirst && wasModified !== next.isModified) {
    post('Doc_ModifiedStatus', { Modified: next.isModified });
  }
}

async function type(): Promise<void> {
  await callServer('type', { text: field('new-text') });
  showStatus('Changed');
  if (!isCollabora && !wasEdited && state?.says.edited === true) post('Edit_Notification');
  wasEdited = true;
}

async function save(shouldNotify: boolean): Promise<void> {
  const { status, isUnmodified = false } = await callServer('save');
  showStatus(status === 200 ? 'Saved' : `Not saved: ${status}`);
  if (!isCollabora || !shouldNotify) return;
  if (isUnmodified) post('Action_Save_Resp', { success: true, result: 'unmodified' });
  else if (status === 200) post('Action_Save_Resp', { success: true });
  // LibreOffice Online posts no values.
  else post('Action_Save_Resp', config.isLegacy ? {} : { success: false, errorMsg: `${status}` });
}

async function saveAs(name: string, shouldNotify: boolean): Promise<void> {
  const { status, name: copy = '' } = await callServer('save-as', { name });
  showStatus(status === 200 ? `Copied to ${copy}` : `Not copied: ${status}`);
  if (!isCollabora || !shouldNotify) return;
  if (!config.isLegacy) {
    post('Action_Save_Resp', { success: status === 200, fileName: copy });
    return;
  }
  // LibreOffice Online posts no file name, and shows the copy from now on.
  post('Action_Save_Resp', { success: status === 200 });
  if (status === 200) frameReady();
}

async function rename(): Promise<void> {
  const { status, name = '' } = await callServer('rename', { name: field('new-name') });
  showStatus(status === 200 ? `Renamed to ${name}` : `Not renamed: ${status}`);
  if (status === 200) post('File_Rename', { NewName: name });
}

function close(): void {
  if (isCollabora && hasParameter('closebutton')) post('UI_Close', { EverModified: wasEdited });
  else if (isCollabora) showStatus('There is no way to close');
  else if (state?.says.close === true) post('UI_Close');
  else if (state !== undefined) window.top?.location.assign(state.closeUrl);
}

function edit(): void {
  if (state?.says.edit === true || isCollabora) post('UI_Edit');
  else if (state !== undefined) window.location.assign(state.hostEditUrl);
}

function handleMessage({ MessageId: id, Values: values = {} }: Message): void {
  if (id === 'Host_PostmessageReady') {
    isHostReady = true;
    if (config.kind === 'office' && isLoaded) post('App_LoadingStatus', { DocumentLoadedTime: Date.now() });
    return;
  }
  if (id === 'Host_RefreshSessionInfo' && config.kind === 'office') {
    const [token] = values['Tokens'] as { Value?: string }[];
    void callServer('token', { token: token?.Value });
    return;
  }
  if (!isCollabora || !isHostReady) return;
  if (id === 'Close_Session') void callServer('leave');
  if (!isLoaded) return;
  if (id === 'Reset_Access_Token') void callServer('token', { token: values['token'] });
  else if (id === 'Action_Save') void save(values['Notify'] === true);
  else if (id === 'Action_SaveAs') void saveAs(String(values['Filename']), values['Notify'] === true);
}

window.addEventListener('message', ({ data, origin, source }: MessageEvent<unknown>) => {
  if (source !== window.parent || origin !== state?.origin) return;
  const message = (typeof data === 'string' ? JSON.parse(data) : data) as Message;
  void callServer('heard', { id: message.MessageId ?? '', values: message.Values ?? {} });
  handleMessage(message);
});

const press = (id: string, act: () => unknown): void => byId(id).addEventListener('click', () => void act());
press('type', type);
press('save', () => save(true));
press('rename', rename);
press('save-as', () =>
  isCollabora
    ? post('UI_SaveAs', { format: field('new-name').split('.').pop() })
    : saveAs(field('new-name'), false),
);
press('edit', edit);
press('share', () => {
  if (state?.says.sharing === true) post(isCollabora ? 'UI_Share' : 'UI_Sharing');
});
press('versions', () => {
  if (isCollabora ? hasParameter('revisionhistory') : state?.says.versions === true) post('UI_FileVersions');
});
press('close', close);

// The server detects by the end of this stream that the page was closed.
const stream = new EventSource(`${config.session}/events`);
stream.addEventListener('state', ({ data }: MessageEvent<string>) => show(JSON.parse(data) as PageState));
