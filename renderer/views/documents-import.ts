// Copies files of this machine into the folder that is shown, as jobs of the host.

import { useCallback, useState } from 'react';
import { countOf } from '../parts/format.ts';
import { useToasts } from '../parts/toast.tsx';
import { sentenceOf } from '../state/call.ts';
import { useCall } from '../state/window-context.tsx';

const maxSources = 1000;

/** `withoutPath`: how many of the things that were dropped are no files of this machine. */
export function useBringIn(folderPath: string): {
  jobIds: readonly string[];
  bringIn(sources: readonly string[], withoutPath: number): Promise<void>;
} {
  const call = useCall();
  const toasts = useToasts();
  const [jobIds, setJobIds] = useState<readonly string[]>([]);
  const bringIn = useCallback(
    async (sources: readonly string[], withoutPath: number) => {
      if (withoutPath > 0) {
        toasts.show({
          tone: 'warn',
          title: `${countOf(withoutPath, 'thing')} could not be taken`,
          detail: 'Only files and folders of this machine can be dropped here.',
        });
      }
      try {
        for (let start = 0; start < sources.length; start += maxSources) {
          const some = sources.slice(start, start + maxSources);
          const { jobId } = await call('documents.import', { folderPath, sources: some });
          setJobIds((before) => [...before, jobId]);
        }
      } catch (error) {
        toasts.show({ tone: 'bad', title: 'Could not copy the files in', detail: sentenceOf(error) });
      }
    },
    [call, folderPath, toasts],
  );
  return { jobIds, bringIn };
}
