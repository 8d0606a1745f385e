// Another name for a document or a folder, in the folder where it is.

import type { DocumentItem } from '../../../app/contract/results.ts';
import { useCall } from '../state/window-context.tsx';
import { NameDialog } from './name-dialog.tsx';
import { extensionOf } from './names.ts';

export function RenameDialog(props: {
  item: DocumentItem;
  taken: readonly string[];
  onRenamed(path: string): void;
  onClose(): void;
}) {
  const { item } = props;
  const call = useCall();
  const isFolder = item.kind === 'folder';
  const extension = isFolder ? '' : extensionOf(item.name);
  return (
    <NameDialog
      title={`Rename “${item.name}”`}
      confirm="Rename"
      stem={item.name.slice(0, item.name.length - extension.length)}
      extension={extension}
      hint={
        isFolder
          ? 'What is in it stays as it is, versions too.'
          : 'Whoever edits it goes on editing it under the new name.'
      }
      taken={props.taken.filter((name) => name !== item.name)}
      onConfirm={async (name) => {
        const { path } = await call('documents.rename', { path: item.path, name });
        props.onRenamed(path);
      }}
      onClose={props.onClose}
    />
  );
}
