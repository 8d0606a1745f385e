// The text editor's discovery: as the value registered with the host, and as XML for other readers.

import { anyExtension } from '../editors/action-choice.ts';
import type { Discovery, DiscoveryAction } from '../store/editors.ts';
import { editedTypes, viewedTypes } from './document-types.ts';
import type { PublicKeys } from './proof-signer.ts';

/**
 * @param origin where its pages are; `keys`: null until the first call is signed.
 */
export function textEditorDiscovery(origin: string, keys: PublicKeys | null): Discovery {
  const action = (app: string, extension: string, name: string, isDefault: boolean): DiscoveryAction => ({
    app,
    name,
    extension,
    urlsrc: `${origin}/${name === 'view' ? 'view' : 'edit'}?<ui=UI_LLCC&>`,
    isDefault,
  });
  const edited = Object.entries({ ...editedTypes, 'Other text': [anyExtension] });
  return {
    actions: [
      ...edited.flatMap(([app, extensions]) =>
        extensions.flatMap((extension) => [
          action(app, extension, 'view', false),
          action(app, extension, 'edit', true),
          action(app, extension, 'editnew', false),
        ]),
      ),
      ...Object.entries(viewedTypes).flatMap(([app, extensions]) =>
        extensions.map((extension) => action(app, extension, 'view', true)),
      ),
    ],
    proofKeys: keys === null ? null : { current: keys.pem, old: null },
  };
}

/** What `parseDiscovery` reads as `textEditorDiscovery`. */
export function discoveryXml(origin: string, keys: PublicKeys): string {
  const byApp = Map.groupBy(textEditorDiscovery(origin, keys).actions, ({ app }) => app);
  const apps = [...byApp].map(([app, actions]) => {
    const lines = actions.map(
      ({ name, extension, urlsrc, isDefault }) =>
        `      <action${attributes({
          name,
          ext: extension,
          ...(isDefault && { default: 'true' }),
          ...(name !== 'view' && { requires: 'locks,update' }),
          urlsrc,
        })}/>`,
    );
    return `    <app${attributes({ name: app })}>\n${lines.join('\n')}\n    </app>`;
  });
  const { value, modulus, exponent } = keys;
  // Servers with one key publish it twice.
  const proofKey = { value, modulus, exponent, oldvalue: value, oldmodulus: modulus, oldexponent: exponent };
  return `<?xml version="1.0" encoding="utf-8"?>
<wopi-discovery>
  <net-zone name="external-${new URL(origin).protocol.slice(0, -1)}">
${apps.join('\n')}
  </net-zone>
  <proof-key${attributes(proofKey)}/>
</wopi-discovery>
`;
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${value.replaceAll(/[&<>"]/gu, (found) => escapes[found] ?? '')}"`)
    .join('');
}
