// Copies files of this computer into the folder that is shown, as jobs of the host.

import { useCallback, useState } from 'react';
import { countOf } from '../../../app/contract/format.ts';
import { useToasts } from '../parts/toast.tsx';
import { CallError, sentenceOf } from '../state/call.ts';
import { useImportFiles } from '../state/window-context.tsx';

export function useImport(folderPath: string): {
  jobIds: readonly string[];
  importFiles(files: readonly File[]): Promise<void>;
} {
  const send = useImportFiles();
  const toasts = useToasts();
  const [jobIds, setJobIds] = useState<readonly string[]>([]);
  const importFiles = useCallback(
    async (files: readonly File[]) => {
      try {
        const imported = await send(folderPath, files);
        setJobIds((before) => [...before, ...imported.jobIds]);
        if (imported.withoutPath > 0) {
          toasts.show({
            tone: 'warn',
            title: `${countOf(imported.withoutPath, 'item')} can’t be copied`,
            detail: 'Only files and folders on this computer can be dropped here.',
          });
        }
        if (imported.failure !== null) throw new CallError(imported.failure.code, imported.failure.message);
      } catch (error) {
        toasts.show({ tone: 'bad', title: 'Could not copy the files in', detail: sentenceOf(error) });
      }
    },
    [send, folderPath, toasts],
  );
  return { jobIds, importFiles };
}
