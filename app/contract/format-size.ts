// Sizes for people, in the window and in the terminal.

const units = ['KB', 'MB', 'GB', 'TB'];

/** `512 bytes`, `3.4 MB`; 1000-based, as file managers count. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  let amount = bytes / 1000;
  let unit = 0;
  while (Math.round(amount) >= 1000 && unit < units.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return `${amount.toLocaleString('en', { maximumFractionDigits: amount < 10 ? 1 : 0 })} ${units[unit] ?? ''}`;
}
