// Counts the saves under way, for whoever wants to end the process.

export interface RunningSaves {
  /** The function returned tells its end. */
  begin(): () => void;
  count(): number;
}

export function createRunningSaves(): RunningSaves {
  let running = 0;
  return {
    begin() {
      running += 1;
      return () => {
        running -= 1;
      };
    },
    count: () => running,
  };
}
