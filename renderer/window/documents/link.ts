// Copies a document's address for a colleague, and says what is missing before the colleague can open it.

import { useCallback } from 'react';
import { useToasts } from '../parts/toast.tsx';
import { sentenceOf } from '../state/call.ts';
import { useNavigation } from '../state/navigation.tsx';
import { useCall } from '../state/window-context.tsx';

export function useColleagueLink(): (path: string) => Promise<void> {
  const call = useCall();
  const toasts = useToasts();
  const { go } = useNavigation();
  return useCallback(
    async (path: string) => {
      try {
        const { url, needs } = await call('documents.colleagueLink', { path });
        if (url !== null) await call('app.copyText', { text: url });
        if (needs === 'network') {
          toasts.show({
            tone: 'warn',
            title: 'Colleagues can’t open documents yet',
            detail: 'Choose an address to listen on, and let other computers open documents.',
            action: { label: 'Network settings', run: () => go('settings', 'network') },
          });
        } else if (needs === 'user') {
          toasts.show({
            tone: 'info',
            title: 'Link copied',
            detail: 'Your colleague signs in with a user that you add first.',
            action: { label: 'Add a user', run: () => go('settings', 'users') },
          });
        } else {
          toasts.show({ tone: 'good', title: 'Link copied', detail: 'Your colleague signs in to open it.' });
        }
      } catch (error) {
        toasts.show({ tone: 'bad', title: 'Could not copy the link', detail: sentenceOf(error) });
      }
    },
    [call, toasts, go],
  );
}
