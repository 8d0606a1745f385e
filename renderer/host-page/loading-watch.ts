// Reports an editor that doesn't load: no message from it for 20 seconds, or no document for another minute.

export const silentMs = 20_000;
export const slowMs = 60_000;

export interface LoadingWatch {
  begin(): void;
  /** A message came from the frame. */
  heard(): void;
  end(): void;
}

export function createLoadingWatch(events: { silent(): void; heard(): void; slow(): void }): LoadingWatch {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasHeard = true;

  return {
    begin() {
      clearTimeout(timer);
      hasHeard = false;
      timer = setTimeout(events.silent, silentMs);
    },
    heard() {
      if (hasHeard) return;
      hasHeard = true;
      clearTimeout(timer);
      timer = setTimeout(events.slow, slowMs);
      events.heard();
    },
    end() {
      hasHeard = true;
      clearTimeout(timer);
    },
  };
}
