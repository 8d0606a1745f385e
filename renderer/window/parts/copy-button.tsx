// Copies a text by the main process, which owns the clipboard, and says so.

import { useAction } from '../state/use-action.ts';
import { IconButton } from './button.tsx';

/** `what` completes `Copy …` and `… copied`: `address`. */
export function CopyButton(props: { text: string; what: string }) {
  const copy = useAction('app.copyText', {
    failure: `Could not copy the ${props.what}`,
    success: `${props.what.charAt(0).toUpperCase()}${props.what.slice(1)} copied`,
  });
  return (
    <IconButton
      icon="copy"
      label={`Copy ${props.what}`}
      isPending={copy.isPending}
      onPress={() => void copy.run({ text: props.text })}
    />
  );
}
