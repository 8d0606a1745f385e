// What counts as an error, for Activity, the Overview's strip and the terminal.

export function isErrorStatus(status: number): boolean {
  return status >= 400;
}
