// The script of a scripted editor's page. It runs in the browser, inside the host's frame, and speaks to the page around it in
// the dialect of its product: JSON texts of MessageId, SendTime and Values, to the origin CheckFileInfo named.
// Collabora hears nothing before Host_PostmessageReady, and little before its document is loaded.

import type { DeedResult, PageConfig, PageState } from './page-config.ts';

interface Message {
  MessageId?: string;
  Values?: Record<string, unknown>;
}

const byId = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;
const field = (id: string): string => (document.getElementById(id) as HTMLInputElement).value;
const config = JSON.parse(byId('config').textContent) as PageConfig;
const isCollabora = config.kind === 'collabora';
/** What Collabora shows only where its address says so. */
const hasSaveFlags = (name: string): boolean => new URLSearchParams(location.search).has(name);
let state: PageState | undefined;
let isReadyAround = false;
let isLoaded = false;
let wasEdited = false;

function post(id: string, values: Record<string, unknown> = {}): void {
  // Where CheckFileInfo failed nobody named an origin: Collabora then tells everybody.
  const origin = state?.origin === '' && isCollabora ? '*' : (state?.origin ?? '');
  if (config.isSilent || origin === '') return;
  const text = JSON.stringify({ MessageId: id, SendTime: Date.now(), Values: values });
  window.parent.postMessage(text, origin);
}

async function deed(verb: string, body: object = {}): Promise<DeedResult> {
  const answer = await fetch(`${config.session}/${verb}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as DeedResult;
}

function say(text: string): void {
  byId('status').textContent = text;
}

function loaded(): void {
  if (state === undefined || isLoaded) return;
  if (state.failure !== '') {
    say(state.failure);
    if (isCollabora) {
      // LibreOffice Online says nothing more.
      if (config.isLegacy) return;
      post('Action_Load_Resp', { success: false, result: '', errorMsg: state.failure });
      post('App_LoadingStatus', { Status: 'Failed' });
    }
    return;
  }
  isLoaded = true;
  say(state.warning === '' ? (state.mode === 'edit' ? 'Editing' : 'Reading') : state.warning);
  // The pencil is there for who could edit.
  byId('edit').hidden = state.warning !== '';
  if (isCollabora) post('App_LoadingStatus', { Status: 'Document_Loaded' });
  else if (config.kind === 'office') post('App_LoadingStatus', { DocumentLoadedTime: Date.now() });
}

/** Both come before the document is loaded, and say nothing of it. */
function frameReady(): void {
  post('App_LoadingStatus', { Status: 'Frame_Ready', Features: { VersionStates: true } });
  post('Action_Load_Resp', { success: true, result: '' });
}

function show(next: PageState): void {
  const isFirst = state === undefined;
  const wasModified = state?.isModified ?? false;
  const wasEnding = state?.isEnding ?? false;
  state = next;
  byId('name').textContent = next.name === '' ? 'No document' : next.name;
  byId('text').textContent = next.text;
  byId('people').textContent = next.people.join(', ');
  if (isFirst) {
    if (isCollabora) frameReady();
    // Before the document is fetched, and whatever comes of that.
    if (config.kind === 'onlyoffice') {
      post('App_LoadingStatus', { Status: 'Document_Loaded', DocumentLoadedTime: Date.now() });
    }
    setTimeout(loaded, 10);
  }
  if (isCollabora && !isFirst && wasModified !== next.isModified) {
    post('Doc_ModifiedStatus', { Modified: next.isModified });
  }
  if (next.isEnding && !wasEnding && next.says.tokenEnd) {
    if (isCollabora) post('App_TokenExpiring', { Timeout: 15 * 60 });
    else post('App_RefreshSessionInfo', { Tokens: ['AccessToken'] });
  }
}

async function type(): Promise<void> {
  await deed('type', { text: field('new-text') });
  say('Changed');
  if (!isCollabora && !wasEdited && state?.says.edited === true) post('Edit_Notification');
  wasEdited = true;
}

async function save(hasToTell: boolean): Promise<void> {
  const { status, isUnmodified = false } = await deed('save');
  say(status === 200 ? 'Saved' : `Not saved: ${status}`);
  if (!isCollabora || !hasToTell) return;
  if (isUnmodified) post('Action_Save_Resp', { success: true, result: 'unmodified' });
  else if (status === 200) post('Action_Save_Resp', { success: true });
  // LibreOffice Online sends no values at all.
  else post('Action_Save_Resp', config.isLegacy ? {} : { success: false, errorMsg: `${status}` });
}

async function saveAs(name: string, hasToTell: boolean): Promise<void> {
  const { status, name: made = '' } = await deed('save-as', { name });
  say(status === 200 ? `Copied to ${made}` : `Not copied: ${status}`);
  if (!isCollabora || !hasToTell) return;
  if (!config.isLegacy) {
    post('Action_Save_Resp', { success: status === 200, fileName: made });
    return;
  }
  // No file name, and from here on the frame shows the copy.
  post('Action_Save_Resp', { success: status === 200 });
  if (status === 200) frameReady();
}

async function rename(): Promise<void> {
  const { status, name = '' } = await deed('rename', { name: field('new-name') });
  say(status === 200 ? `Renamed to ${name}` : `Not renamed: ${status}`);
  if (status === 200) post('File_Rename', { NewName: name });
}

function close(): void {
  if (isCollabora && hasSaveFlags('closebutton')) post('UI_Close', { EverModified: wasEdited });
  else if (isCollabora) say('There is no way to close');
  else if (state?.says.close === true) post('UI_Close');
  else if (state !== undefined) window.top?.location.assign(state.closeUrl);
}

function edit(): void {
  if (state?.says.edit === true || isCollabora) post('UI_Edit');
  else if (state !== undefined) window.location.assign(state.hostEditUrl);
}

function hear({ MessageId: id, Values: values = {} }: Message): void {
  if (id === 'Host_PostmessageReady') {
    isReadyAround = true;
    if (config.kind === 'office' && isLoaded) post('App_LoadingStatus', { DocumentLoadedTime: Date.now() });
    return;
  }
  if (id === 'Host_RefreshSessionInfo' && config.kind === 'office') {
    const [token] = values['Tokens'] as { Value?: string }[];
    void deed('token', { token: token?.Value });
    return;
  }
  if (!isCollabora || !isReadyAround) return;
  if (id === 'Close_Session') void deed('leave');
  if (!isLoaded) return;
  if (id === 'Reset_Access_Token') void deed('token', { token: values['token'] });
  else if (id === 'Action_Save') void save(values['Notify'] === true);
  else if (id === 'Action_SaveAs') void saveAs(String(values['Filename']), values['Notify'] === true);
}

window.addEventListener('message', ({ data, origin, source }: MessageEvent<unknown>) => {
  if (source !== window.parent || origin !== state?.origin) return;
  const message = (typeof data === 'string' ? JSON.parse(data) : data) as Message;
  void deed('heard', { id: message.MessageId ?? '', values: message.Values ?? {} });
  hear(message);
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
  if (isCollabora ? hasSaveFlags('revisionhistory') : state?.says.versions === true) post('UI_FileVersions');
});
press('close', close);

// Its end is how the server learns that the page is gone.
const stream = new EventSource(`${config.session}/events`);
stream.addEventListener('state', ({ data }: MessageEvent<string>) => show(JSON.parse(data) as PageState));
