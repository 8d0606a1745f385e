// A number of bytes as people read it.

const units = ['KB', 'MB', 'GB', 'TB'];

/** `512 bytes`, `3.4 MB`; by thousands, as disks are sold and file managers count. */
export function bytesInWords(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  const amount = bytes / 1000 ** power;
  return `${amount.toLocaleString('en', { maximumFractionDigits: amount < 10 ? 1 : 0 })} ${units[power - 1] ?? ''}`;
}
