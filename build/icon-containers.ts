// The two container formats that hold an icon's PNG pictures of several sizes: .ico (Windows) and .icns (macOS).

export interface SizedPng {
  /** Pixels; the picture is square. */
  size: number;
  png: Uint8Array;
}

/** Windows since Vista reads PNG entries. Sizes up to 256. */
export function icoFile(pictures: SizedPng[]): Uint8Array {
  const header = Buffer.alloc(6 + 16 * pictures.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pictures.length, 4);
  let offset = header.length;
  for (const [index, { size, png }] of pictures.entries()) {
    const entry = 6 + 16 * index;
    // one byte each for width and height: 0 stands for 256
    header.writeUInt8(size % 256, entry);
    header.writeUInt8(size % 256, entry + 1);
    header.writeUInt16LE(1, entry + 4);
    header.writeUInt16LE(32, entry + 6);
    header.writeUInt32LE(png.length, entry + 8);
    header.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  }
  return Buffer.concat([header, ...pictures.map(({ png }) => png)]);
}

/** The kinds that hold PNG, by pixels: the plain one, and the one for screens of double density. */
const icnsKinds: Record<number, string[]> = {
  16: ['icp4'],
  32: ['icp5', 'ic11'],
  64: ['ic12'],
  128: ['ic07'],
  256: ['ic08', 'ic13'],
  512: ['ic09', 'ic14'],
  1024: ['ic10'],
};

/** @throws RangeError for a size the format has no kind for. */
export function icnsFile(pictures: SizedPng[]): Uint8Array {
  const chunks = pictures.flatMap(({ size, png }) => {
    const kinds = icnsKinds[size];
    if (kinds === undefined) throw new RangeError(`icns has no image of ${size} pixels`);
    return kinds.map((kind) => Buffer.concat([chunkHeader(kind, png.length), png]));
  });
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  return Buffer.concat([chunkHeader('icns', length), ...chunks]);
}

function chunkHeader(kind: string, contentLength: number): Buffer {
  const header = Buffer.alloc(8);
  header.write(kind, 'latin1');
  header.writeUInt32BE(8 + contentLength, 4);
  return header;
}
