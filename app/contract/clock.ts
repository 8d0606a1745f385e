// Time as a dependency, so that tests can move it.

/** Milliseconds since 1970, UTC. */
export type Clock = () => number;
