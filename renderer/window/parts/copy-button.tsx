// Copies a text by the main process, which owns the clipboard, and says so.

import { t } from '../../../app/contract/messages.ts';
import { useAction } from '../state/use-action.ts';
import { IconButton } from './button.tsx';
import { capitalized } from './format.ts';

/** `what` completes `Copy …` and `… copied`: `address`. */
export function CopyButton(props: { text: string; what: string }) {
  const { what } = props;
  const copy = useAction('app.copyText', {
    failure: t('Could not copy the {what}', { what }),
    success: t('{what} copied', { what: capitalized(what) }),
  });
  return (
    <IconButton
      icon="copy"
      label={t('Copy {what}', { what })}
      isPending={copy.isPending}
      onPress={() => void copy.run({ text: props.text })}
    />
  );
}
