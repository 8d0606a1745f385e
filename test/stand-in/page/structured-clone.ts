// What Electron's IPC can carry, as text: JSON, of which only numbers that JSON doesn't have are marked. This function runs in the main
// process and, as source text, in every page, so it must not use anything outside of it.

export interface Codec {
  /** @throws Error 'An object could not be cloned.', like Electron's serializer. */
  encode(value: unknown): string;
  decode(text: string): unknown;
}

export function createCodec(): Codec {
  const mark = '\0number ';
  return {
    encode(value) {
      try {
        return JSON.stringify(structuredClone(value) ?? null, (_key, item: unknown) =>
          typeof item === 'number' && !Number.isFinite(item) ? mark + String(item) : item,
        );
      } catch {
        throw new Error('An object could not be cloned.');
      }
    },
    decode: (text) =>
      JSON.parse(text, (_key, item: unknown) =>
        typeof item === 'string' && item.startsWith(mark) ? Number(item.slice(mark.length)) : item,
      ),
  };
}
