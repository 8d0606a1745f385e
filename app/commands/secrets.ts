// Where the secrets are: the keychain, or a private file.

import { z } from 'zod';
import type { Services } from '../host/services.ts';
import type { SecretStoreKind } from '../secrets/data-folder.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import { command } from './command.ts';

export const secretCommands = {
  'secrets.show': command({
    needs: 'services',
    from: 'terminal',
    run: ({ services: { secrets } }) => describe(secrets),
  }),

  /** Open documents aren't affected. */
  'secrets.move': command({
    needs: 'services',
    from: 'terminal',
    args: z.strictObject({ to: z.enum(['keychain', 'file']) }),
    run: ({ services }, { to }) => move(services, to),
  }),

  /** If the keychain was locked on the first run. The window can't move them to the file, where a program could read them. */
  'secrets.moveToKeychain': command({
    needs: 'services',
    from: 'window',
    run: ({ services }) => move(services, 'keychain'),
  }),
};

async function move(
  services: Services,
  to: SecretStoreKind,
): Promise<Pick<SecretStore, 'kind' | 'description'>> {
  await services.secrets.move(to);
  services.emit({ event: 'host-changed' });
  return describe(services.secrets);
}

function describe({ kind, description }: SecretStore): Pick<SecretStore, 'kind' | 'description'> {
  return { kind, description };
}
