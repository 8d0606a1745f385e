// Connected editors for scenarios: the same on every run.

import type {
  ConnectionStep,
  ConnectionTest,
  EditorAction,
  EditorItem,
  EditorType,
  ReachableAddress,
} from '../../../app/contract/editors.ts';
import { FakeRefusal, type Answers, type FakeHost } from './fake-host.ts';
import { day, hour, minute } from './rows.ts';

function types(words: string, ...actions: EditorAction[]): EditorType[] {
  return words.split(' ').map((extension) => ({ extension, actions }));
}

const byName = (a: EditorType, b: EditorType) => (a.extension < b.extension ? -1 : 1);

const onlyofficeTypes = [
  ...types('docx xlsx pptx', 'view', 'edit', 'editnew'),
  ...types('docm dotx xlsm xltx ppsx potx', 'view', 'edit'),
  ...types('doc odt rtf txt xls ods csv ppt odp pps', 'view', 'convert'),
  ...types('pdf djvu xps epub', 'view'),
].toSorted(byName);

const collaboraTypes = [
  ...types('odt ods odp odg docx xlsx pptx doc xls ppt rtf txt csv potx ott ots otp', 'view', 'edit'),
  ...types('pdf epub vsd', 'view'),
].toSorted(byName);

export function makeEditor(nowMs: number, over: Partial<EditorItem> = {}): EditorItem {
  return {
    id: 'a1b2c3d4',
    name: 'ONLYOFFICE Docs',
    url: 'http://localhost:8080',
    kind: 'onlyoffice',
    product: 'ONLYOFFICE Docs',
    version: '9.0.4',
    publicUrl: 'http://192.168.1.14:8790',
    effectiveUrl: 'http://192.168.1.14:8790',
    isAwaitingConfirmation: false,
    proofMode: 'if-present',
    hasProofKeys: true,
    allowedAddresses: [],
    acceptsOtherHosts: false,
    types: onlyofficeTypes,
    defaultFor: [],
    opens: ['docx', 'xlsx', 'pptx'],
    addedAtMs: nowMs - 12 * day,
    discoveredAtMs: nowMs - 3 * hour,
    problem: null,
    lastTest: makeGoodTest('a1b2c3d4', nowMs - 40 * minute),
    ...over,
  };
}

export function makeCollabora(nowMs: number, over: Partial<EditorItem> = {}): EditorItem {
  return makeEditor(nowMs, {
    id: 'e5f6a7b8',
    name: 'Collabora in the cellar',
    url: 'https://office.example.org:9980',
    kind: 'collabora',
    product: 'Collabora Online Development Edition',
    version: '25.04.6',
    publicUrl: null,
    effectiveUrl: 'http://192.168.1.14:8790',
    types: collaboraTypes,
    opens: ['odt', 'ods', 'odp'],
    addedAtMs: nowMs - 2 * day,
    lastTest: null,
    ...over,
  });
}

export function makeStep(name: ConnectionStep['name'], over: Partial<ConnectionStep> = {}): ConnectionStep {
  const sentences: Record<ConnectionStep['name'], string> = {
    discovery: 'ONLYOFFICE Docs 9.0.4 at http://localhost:8080 opens 23 types of document.',
    page: 'Its page loads and can be shown at http://127.0.0.1:8790.',
    callback: 'It called DocTray from 172.17.0.2 at http://192.168.1.14:8790.',
    proof: 'Its signature is valid.',
    clock: 'Its clock matches this computer’s.',
  };
  return {
    name,
    state: 'passed',
    code: null,
    sentence: sentences[name],
    remedy: null,
    lines: [],
    ...over,
  };
}

export function makeGoodTest(editorId: string, testedAtMs: number): ConnectionTest {
  const steps = (['discovery', 'page', 'callback', 'proof', 'clock'] as const).map((name) => makeStep(name));
  return { editorId, testedAtMs, isGood: true, steps };
}

/** The editor can't reach this computer. */
export function makeFailedTest(editorId: string, testedAtMs: number): ConnectionTest {
  const skipped = { state: 'skipped', sentence: 'There was no call.' } as const;
  return {
    editorId,
    testedAtMs,
    isGood: false,
    steps: [
      makeStep('discovery'),
      makeStep('page'),
      makeStep('callback', {
        state: 'failed',
        code: 'host-not-allowed-by-editor',
        sentence: 'The editor didn’t reach DocTray at http://192.168.1.14:8790.',
        remedy: 'Allow this address in the editor’s configuration, or choose another address.',
        lines: [
          'docker run -e aliasgroup1=http://192.168.1.14:8790 collabora/code',
          '<host desc="DocTray" allow="true">192\\.168\\.1\\.14</host>',
        ],
      }),
      makeStep('proof', skipped),
      makeStep('clock', skipped),
    ],
  };
}

export function makeAddresses(): ReachableAddress[] {
  const at = (
    name: string,
    kind: ReachableAddress['kind'],
    sentence: string,
    over: Partial<ReachableAddress> = {},
  ): ReachableAddress => ({
    url: `http://${name}:8790`,
    kind,
    sentence,
    interfaceName: null,
    network: null,
    neededHost: null,
    isListening: true,
    ...over,
  });
  const wlan = { interfaceName: 'wlan0', network: '192.168.1.0/24' };
  const tun = { interfaceName: 'tun0', network: '10.8.0.0/24', isListening: false, neededHost: '10.8.0.3' };
  return [
    at('127.0.0.1', 'loopback', 'Editors that run on this computer, outside of containers.'),
    at('192.168.1.14', 'interface', 'Editors in the network of wlan0.', wlan),
    at('10.8.0.3', 'interface', 'Editors in the network of tun0.', tun),
    at('host.docker.internal', 'docker', 'Editors in a container on this computer.'),
    at('atelier.local', 'name', 'Editors that know this computer by its name.'),
  ];
}

function change(host: FakeHost, id: string, values: Partial<EditorItem>): EditorItem {
  const before = host.state.editors.find((editor) => editor.id === id);
  if (before === undefined) throw new FakeRefusal('editor-unknown', 'This editor is no longer connected.');
  const editor = { ...before, ...values };
  host.set({ editors: host.state.editors.map((one) => (one === before ? editor : one)) });
  return editor;
}

/** The host's responses; `other.example.org` has its pages on another host, `nothing…` doesn't exist. */
export function createEditorAnswers(): Answers {
  return {
    'editors.add': ({ url, name, acceptsOtherHosts }, host) => {
      if (/nothing/u.test(url))
        throw new FakeRefusal(
          'editor-unreachable',
          'DocTray can’t reach the editor. This computer can’t resolve the name nothing.example.org. Check the spelling, or use the IP address.',
        );
      if (/other/u.test(url) && !acceptsOtherHosts)
        throw new FakeRefusal(
          'editor-other-host',
          'The editor’s pages are on another host. They are at https://pages.example.net. Allow it only if you trust that host.',
        );
      const nowMs = Date.now();
      const editor = makeEditor(nowMs, {
        id: `added${host.state.editors.length}`,
        url,
        ...(name != null && { name }),
        publicUrl: null,
        effectiveUrl: host.state.host.publicUrl ?? '',
        acceptsOtherHosts: acceptsOtherHosts ?? false,
        addedAtMs: nowMs,
        discoveredAtMs: nowMs,
        lastTest: null,
      });
      host.set({ editors: [...host.state.editors, editor] });
      return editor;
    },
    'editors.change': ({ id, ...values }, host) =>
      change(host, id, {
        ...(JSON.parse(JSON.stringify(values)) as Partial<EditorItem>),
        ...(values.publicUrl != null && { effectiveUrl: values.publicUrl }),
      }),
    'editors.refresh': ({ id }, host) => change(host, id, { problem: null, discoveredAtMs: Date.now() }),
    'editors.test': ({ id }, host) => {
      const { kind, effectiveUrl, name } = change(host, id, {});
      const isReached = kind === 'text-editor' || !effectiveUrl.includes('127.0.0.1');
      const test = (isReached ? makeGoodTest : makeFailedTest)(id, Date.now());
      change(host, id, { lastTest: test, problem: null });
      return { ...test, name };
    },
    'editors.remove': ({ id }, host) => {
      const { name, kind } = change(host, id, {});
      host.set({ editors: host.state.editors.filter((one) => one.id !== id) });
      return { id, name, isBuiltIn: kind === 'text-editor' };
    },
    'editors.setDefault': ({ extension, editorId }, host) => {
      const editors = host.state.editors.map((editor) => ({
        ...editor,
        defaultFor: [
          ...editor.defaultFor.filter((one) => one !== extension),
          ...(editor.id === editorId ? [extension] : []),
        ],
      }));
      host.set({ editors });
      return { extension, editor: null };
    },
    'editors.addresses': () => makeAddresses(),
    'editors.useAddress': ({ id, url }, host) => {
      const effectiveUrl = url ?? host.state.host.publicUrl ?? '';
      return { id, name: change(host, id, { publicUrl: url, effectiveUrl }).name, effectiveUrl };
    },
    'tls.useLocalAuthority': (_args, host) => {
      const tls = {
        mode: 'local-authority' as const,
        names: ['atelier.local', 'localhost', 'host.docker.internal', '192.168.1.14', '127.0.0.1'],
        validUntilMs: Date.now() + 397 * day,
        problem: null,
        authorityFingerprint: Array.from({ length: 32 }, (_, at) =>
          ((at * 37 + 11) % 256).toString(16).padStart(2, '0').toUpperCase(),
        ).join(':'),
      };
      host.set({ settings: { tls: 'local-authority' }, host: { tls } });
      return tls;
    },
    'tls.saveAuthority': () => ({ savedTo: '/home/robin/DocTray authority.crt' }),
    'documents.openInEditor': ({ path, mode, editorId }, host) => {
      const extension = path.slice(path.lastIndexOf('.') + 1);
      const does = (one: EditorItem, action: EditorAction) =>
        one.types.some((type) => type.extension === extension && type.actions.includes(action));
      const can = host.state.editors
        .filter((one) => does(one, 'view'))
        .toSorted((a, b) => Number(does(b, 'edit')) - Number(does(a, 'edit')));
      const editor =
        can.find((one) => one.id === editorId) ??
        can.find((one) => one.defaultFor.includes(extension)) ??
        can[0];
      const actions = editor?.types.find((type) => type.extension === extension)?.actions ?? [];
      if (editor === undefined)
        throw new FakeRefusal('no-editor', 'No connected editor can open this type of document.');
      return {
        fileId: `id of ${path}`,
        path,
        mode: actions.includes('edit') ? mode : 'view',
        editorId: editor.id,
        editorName: editor.name,
        openedIn: host.state.settings.openIn,
      };
    },
  };
}
