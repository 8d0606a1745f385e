// A row of the window's tables may have changed: lighter than a domain event, since every call of an editor makes two. Nobody
// may be listening, and then it costs nothing.

/** `id`: a file id for `locks`, a token id for `sessions` and `tokens`. */
export type Touch = { table: 'locks' | 'sessions' | 'tokens'; id: string } | { table: 'users' };

export interface Touches {
  tell(touch: Touch): void;
  /** Called in the turn of the change. The function returned ends the listening. */
  on(listener: (touch: Touch) => void): () => void;
}

export function createTouches(): Touches {
  const listeners = new Set<(touch: Touch) => void>();
  return {
    tell(touch) {
      for (const listener of listeners) listener(touch);
    },
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
