// Names of temporary files, which show after a crash what the file was:
// `.~doctray-<data folder>-<start>-<random>.tmp` is a copy whose source still exists, and
// `.~doctray-<data folder>-<start>-<random>.<file id>.<bytes>.tmp` a document's new content, with its declared length or `x`. The
// first mark distinguishes the hosts of other data folders, the second earlier starts of this host.

export interface Upload {
  fileId: string;
  /** Content-Length, if declared. */
  declaredBytes: number | undefined;
}

export interface TempNames {
  next(upload?: Upload): string;
  /** Left by an earlier start of this same host. */
  isLeftover(name: string): boolean;
  /** What a leftover was meant to become; undefined for a copy whose source still exists. */
  uploadOf(name: string): Upload | undefined;
}

const uploadPattern = /\.([\w-]+)\.(\d+|x)\.tmp$/u;

export function createTempNames(deps: { dataFolderId: string; randomText: () => string }): TempNames {
  const mine = `.~doctray-${deps.dataFolderId.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 8)}-`;
  const now = `${mine}${deps.randomText()}-`;
  return {
    next(upload) {
      const about = upload === undefined ? '' : `.${upload.fileId}.${upload.declaredBytes ?? 'x'}`;
      return `${now}${deps.randomText()}${about}.tmp`;
    },
    isLeftover: (name) => name.startsWith(mine) && !name.startsWith(now) && name.endsWith('.tmp'),
    uploadOf(name) {
      const [, fileId, bytes] = uploadPattern.exec(name) ?? [];
      if (fileId === undefined) return undefined;
      return { fileId, declaredBytes: bytes === 'x' ? undefined : Number(bytes) };
    },
  };
}
