// The progress of an image download, from the lines that `docker pull` and `podman pull` print without a terminal: Docker lists
// every layer before it downloads it, Podman each one as it begins. Only some versions print sizes.

export interface PullProgress {
  done: number;
  /** Null if the total isn't known. */
  total: number | null;
  unit: 'bytes' | 'layers';
}

interface Layer {
  isDone: boolean;
  /** Bytes; undefined if none were printed. */
  size?: { done: number; total: number };
}

const dockerLine =
  /^([0-9a-f]{6,64}): (Pulling fs layer|Waiting|Downloading|Verifying Checksum|Download complete|Extracting|Pull complete|Already exists)/u;
const podmanLine = /^Copying blob (?:sha256:)?([0-9a-f]{6,64})(.*)$/u;
const sizes = /([\d.]+)\s?([kKMGT]?)(i?)B\s?\/\s?([\d.]+)\s?([kKMGT]?)(i?)B/u;
const maxLayers = 500;

/** Takes one line at a time; returns the progress if a line changed it. */
export function createPullProgress(): (line: string) => PullProgress | undefined {
  const layers = new Map<string, Layer>();
  let isTotalKnown = false;

  const progress = (): PullProgress => {
    const all = [...layers.values()];
    const withSizes = all.flatMap(({ size, isDone }) =>
      size === undefined ? [] : [{ done: isDone ? size.total : size.done, total: size.total }],
    );
    if (withSizes.length > 0) {
      const sum = (key: 'done' | 'total'): number => withSizes.reduce((bytes, size) => bytes + size[key], 0);
      const areAllKnown = isTotalKnown && all.every(({ size, isDone }) => size !== undefined || isDone);
      return { done: sum('done'), total: areAllKnown ? sum('total') : null, unit: 'bytes' };
    }
    const done = all.filter(({ isDone }) => isDone).length;
    return isTotalKnown
      ? { done, total: all.length, unit: 'layers' }
      : { done: all.length, total: null, unit: 'layers' };
  };

  const note = (id: string, isDone: boolean, rest: string): PullProgress | undefined => {
    const short = id.slice(0, 12);
    if (!layers.has(short) && layers.size >= maxLayers) return undefined;
    const before = layers.get(short);
    const size = sizeOf(rest) ?? before?.size;
    layers.set(short, { isDone: isDone || before?.isDone === true, ...(size !== undefined && { size }) });
    return progress();
  };

  return (line) => {
    const docker = dockerLine.exec(line);
    if (docker !== null) {
      const [, id = '', what = ''] = docker;
      isTotalKnown = true;
      const isDownloaded = ['Download complete', 'Extracting', 'Pull complete', 'Already exists'].includes(
        what,
      );
      return note(id, isDownloaded, what === 'Downloading' ? line : '');
    }
    const podman = podmanLine.exec(line);
    if (podman !== null) {
      const [, id = '', rest = ''] = podman;
      return note(id, /\b(?:done|skipped)\b/u.test(rest), rest);
    }
    if (!line.startsWith('Copying config ') || layers.size === 0) return undefined;
    // It comes after all layers.
    isTotalKnown = true;
    for (const layer of layers.values()) layer.isDone = true;
    return progress();
  };
}

function sizeOf(text: string): { done: number; total: number } | undefined {
  const found = sizes.exec(text);
  if (found === null) return undefined;
  const [, done = '', doneUnit = '', doneBinary = '', total = '', totalUnit = '', totalBinary = ''] = found;
  const size = {
    done: bytesOf(done, doneUnit, doneBinary),
    total: bytesOf(total, totalUnit, totalBinary),
  };
  return Number.isSafeInteger(size.done) && Number.isSafeInteger(size.total) && size.done <= size.total
    ? size
    : undefined;
}

function bytesOf(number: string, unit: string, binary: string): number {
  const power = ['', 'K', 'M', 'G', 'T'].indexOf(unit.toUpperCase());
  return Math.round(Number(number) * (binary === '' ? 1000 : 1024) ** power);
}
