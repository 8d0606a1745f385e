// What both sides of the text editor know about text.

/** Larger texts aren't opened. 1000-based, as sizes are shown. */
export const maxTextBytes = 10_000_000;
