// Hidden documents that exist only while a connection is tested. An editor that calls for one has shown that it reaches this
// host; other clients don't know its id, and would see only a blank page. They contain nothing of the user's.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../contract/clock.ts';
import { newFileId } from '../files/file-id.ts';
import type { DiscoveryAction, Editor } from '../store/editors.ts';
import { unauthorized, type WopiAnswer } from '../wopi/wopi-call.ts';
import { readOverride, wopiTime, type ReadHeader } from '../wopi/wopi-headers.ts';
import { calledUrls, checkProof, type CallVerdict } from './caller-check.ts';
import type { Editors } from './editors.ts';

/** What is known about an editor's call. */
export interface ProbeCall {
  clientAddress: string;
  /** `scheme://host` as the client sent it. */
  receivedBase: string;
  verdict: CallVerdict;
  /** The signature is valid only for the address the client used, not for the base address. */
  isForReceivedBase: boolean;
  /** How far the editor's clock is ahead; null if its call has no timestamp. */
  clockSkewMs: number | null;
}

export interface Probe {
  /** Same format as any other. */
  fileId: string;
  token: string;
  /** The first call with the token. */
  firstCall: Promise<ProbeCall>;
  /** The same; undefined until it arrives. */
  call(): ProbeCall | undefined;
  /** The addresses of clients that requested the document without its token: they did reach this host. */
  tokenlessCallers(): readonly string[];
  /** From now on the document doesn't exist. */
  end(): void;
}

export interface ProbeRequest {
  fileId: string;
  token: string | undefined;
  method: string;
  /** The address ends in `/contents`. */
  hasContents: boolean;
  header: ReadHeader;
  /** Path and query as received. */
  target: string;
  receivedBase: string;
  /** See `EditorCall`. */
  isOwnPort: boolean;
  clientAddress: string;
}

export interface Probes {
  begin(editorId: string, extension: string): Probe;
  /** Undefined: not a probe. */
  answer(request: ProbeRequest): WopiAnswer | Promise<WopiAnswer> | undefined;
}

export interface ProbesDeps {
  clock: Clock;
  editors: Pick<Editors, 'byId'>;
  /** The base address of that editor. */
  baseUrlOf: (editorId: string) => string;
}

interface Running {
  editorId: string;
  token: string;
  extension: string;
  fileName: string;
  begunAtMs: number;
  tokenlessCallers: string[];
  called: (call: ProbeCall) => void;
}

const maxTokenlessCallers = 100;
const lockFamily: readonly string[] = ['LOCK', 'REFRESH_LOCK', 'UNLOCK', 'GET_LOCK'];

export function createProbes(deps: ProbesDeps): Probes {
  const { clock } = deps;
  const running = new Map<string, Running>();

  const callOf = (probe: Running, request: ProbeRequest): ProbeCall => {
    const { target, receivedBase, isOwnPort, header, clientAddress } = request;
    const nowMs = clock();
    const baseUrl = deps.baseUrlOf(probe.editorId);
    const keys = deps.editors.byId(probe.editorId)?.discovery.proofKeys ?? null;
    const judge = (urls: string[]) => checkProof({ keys, token: probe.token, urls, header, nowMs });
    const judged = judge(calledUrls({ target, receivedBase, isOwnPort }, baseUrl));
    const isForReceivedBase =
      judged.verdict === 'valid' &&
      judge(calledUrls({ target, receivedBase: baseUrl, isOwnPort }, baseUrl)).verdict !== 'valid';
    return { ...judged, isForReceivedBase, clientAddress, receivedBase };
  };

  return {
    begin(editorId, extension) {
      const fileId = newFileId();
      const token = randomBytes(32).toString('base64url');
      const { promise: firstCall, resolve } = Promise.withResolvers<ProbeCall>();
      let first: ProbeCall | undefined;
      const called = (call: ProbeCall): void => resolve((first ??= call));
      const tokenlessCallers: string[] = [];
      const fileName = `DocTray connection test.${extension}`;
      const begunAtMs = clock();
      running.set(fileId, { editorId, token, extension, fileName, begunAtMs, tokenlessCallers, called });
      return {
        fileId,
        token,
        firstCall,
        call: () => first,
        tokenlessCallers: () => tokenlessCallers,
        end: () => void running.delete(fileId),
      };
    },

    answer(request) {
      const probe = running.get(request.fileId);
      if (probe === undefined) return undefined;
      if (!isSame(request.token ?? '', probe.token)) {
        if (probe.tokenlessCallers.length < maxTokenlessCallers)
          probe.tokenlessCallers.push(request.clientAddress);
        return unauthorized;
      }
      probe.called(callOf(probe, request));
      return answerTo(probe, request.fileId, operationOf(request), deps.baseUrlOf(probe.editorId));
    },
  };
}

/** A type that the editor can show, the simplest first; undefined if it shows none. */
export function probeAction({ discovery }: Pick<Editor, 'discovery'>): DiscoveryAction | undefined {
  const { actions } = discovery;
  const shown = ['view', 'edit'].flatMap((name) =>
    actions.filter((action) => action.name === name && action.extension !== ''),
  );
  for (const extension of ['docx', 'odt', 'xlsx', 'ods', 'pptx', 'odp', 'txt']) {
    const found = shown.find((action) => action.extension === extension);
    if (found !== undefined) return found;
  }
  return shown[0];
}

function operationOf({ method, hasContents, header }: ProbeRequest): string {
  if (method !== 'POST') return hasContents ? 'GetFile' : 'CheckFileInfo';
  return readOverride(header)?.slice(0, 40) ?? 'Unnamed';
}

/** The answers for a read-only token. */
function answerTo(
  probe: Running,
  fileId: string,
  operation: string,
  baseUrl: string,
): WopiAnswer | Promise<WopiAnswer> {
  switch (operation) {
    case 'CheckFileInfo':
      return fileInfo(probe, fileId, baseUrl);
    case 'GetFile':
      return contentOf(probe.extension).then((bytes) => ({
        status: 200,
        headers: { 'X-WOPI-ItemVersion': '1' },
        bytes,
      }));
    case 'PUT_USER_INFO':
      return { status: 200 };
    case 'PUT':
    case 'RENAME_FILE':
    case 'DELETE':
      return unauthorized;
    case 'Unnamed':
      return { status: 400 };
    default:
      if (!lockFamily.includes(operation)) return { status: 501 };
      return operation === 'GET_LOCK'
        ? { status: 200, headers: { 'X-WOPI-Lock': '' } }
        : { status: 200, headers: { 'X-WOPI-ItemVersion': '1' } };
  }
}

async function fileInfo(probe: Running, fileId: string, baseUrl: string): Promise<WopiAnswer> {
  const bytes = await contentOf(probe.extension);
  const { origin } = new URL(baseUrl);
  const json = {
    BaseFileName: probe.fileName,
    OwnerId: 'doctray',
    UserId: 'doctray',
    UserFriendlyName: 'DocTray',
    Size: bytes.length,
    Version: '1',
    LastModifiedTime: wopiTime({ ms: probe.begunAtMs }),
    FileExtension: `.${probe.extension}`,
    SHA256: createHash('sha256').update(bytes).digest('base64'),
    SupportsLocks: true,
    SupportsGetLock: true,
    SupportsExtendedLockLength: true,
    SupportsUpdate: true,
    SupportsRename: true,
    SupportsDeleteFile: true,
    SupportsUserInfo: true,
    UserCanWrite: false,
    ReadOnly: true,
    UserCanRename: false,
    UserCanNotWriteRelative: true,
    HostViewUrl: `${baseUrl}/view/${fileId}`,
    CloseUrl: `${baseUrl}/closed`,
    PostMessageOrigin: origin,
    BreadcrumbBrandName: 'DocTray',
    BreadcrumbDocName: probe.fileName,
  };
  return { status: 200, json };
}

/** A blank document, if DocTray can create one of that type; the test doesn't depend on the content. */
async function contentOf(extension: string): Promise<Buffer> {
  const { blankDocument, templates } = await import('../templates/templates.ts');
  const hasTemplate = templates.some((template) => template.extension === extension);
  const blank = hasTemplate ? blankDocument(extension) : '';
  return Buffer.from(blank.length > 0 ? blank : 'DocTray connection test\n');
}

function isSame(given: string, token: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(token);
  return left.length === right.length && timingSafeEqual(left, right);
}
