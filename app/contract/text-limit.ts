/** Larger files aren't opened as text. 1000-based, like the sizes that are shown. */
export const maxTextBytes = 10_000_000;
