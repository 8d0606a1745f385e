// The progress of an image download in layers, from the lines that `docker pull` and `podman pull` print without a terminal: Docker
// lists every layer before it downloads it, Podman each one as it begins.

import type { DocumentServerStart } from '../contract/document-servers.ts';

export type PullProgress = NonNullable<DocumentServerStart['progress']>;

const dockerLine =
  /^(?<id>[0-9a-f]{6,64}): (?:(?<done>Download complete|Extracting|Pull complete|Already exists)|Pulling fs layer)/u;
const podmanLine = /^Copying blob (?:sha256:)?(?<id>[0-9a-f]{6,64})(?<done>.*\b(?:done|skipped)\b)?/u;
const maxLayers = 500;

/** Takes one line at a time; returns the progress if the line is about a layer. */
export function createPullProgress(): (line: string) => PullProgress | undefined {
  const layers = new Map<string, boolean>();
  return (line) => {
    const docker = dockerLine.exec(line);
    const { id, done } = (docker ?? podmanLine.exec(line))?.groups ?? {};
    // Podman copies it after all layers.
    const isLast = line.startsWith('Copying config ') && layers.size > 0;
    if (isLast) for (const layer of layers.keys()) layers.set(layer, true);
    else if (id === undefined) return undefined;
    else if (layers.size < maxLayers || layers.has(id.slice(0, 12)))
      layers.set(id.slice(0, 12), done !== undefined || layers.get(id.slice(0, 12)) === true);
    return docker === null && !isLast
      ? { done: layers.size, total: null }
      : { done: [...layers.values()].filter(Boolean).length, total: layers.size };
  };
}
