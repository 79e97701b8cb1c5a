import { createRequire } from 'node:module'
import { MediaError } from '../media/media-error.ts'

/*
 * Types for the part of libheif-js used here, because it has none for the bundle with its WebAssembly inside.
 */
interface HeifImage {
  get_width(): number
  get_height(): number
  /** Decodes into `data`, four bytes for each pixel, with turns and mirrors of the file applied. Calls back with null if it cannot. */
  display(
    image: { data: Uint8ClampedArray; width: number; height: number },
    onDone: (image: object | null) => void,
  ): void
  is_primary(): boolean
  free(): void
}
interface Libheif {
  HeifDecoder: new () => {
    /** The context of the last file, which the library frees only when the same decoder reads another. */
    decoder: object | null
    decode(bytes: Uint8Array): readonly HeifImage[]
  }
  heif_context_free(context: object): void
}

/** Pixels of a decoded image, four bytes each: red, green, blue and opacity. */
export interface RgbaPixels {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/** Loaded on first use: 2 MB of WebAssembly, which has the decoder of HEVC that the prebuilt sharp lacks. */
let loaded: Libheif | undefined
function load(): Libheif {
  const create: () => Libheif = createRequire(import.meta.url)('libheif-js/libheif-wasm/libheif-bundle.js')
  return create()
}

/**
 * Decodes the primary image of a HEIC file, upright. Its size is known before its pixels are decoded.
 *
 * @throws MediaError `damaged`, `too_many_pixels`
 */
export async function decodeHeic(bytes: Uint8Array, maxPixels: number): Promise<RgbaPixels> {
  const library = (loaded ??= load())
  const decoder = new library.HeifDecoder()
  const images = decoder.decode(bytes)
  try {
    const image = images.find((one) => one.is_primary()) ?? images[0]
    if (image === undefined) throw new MediaError('damaged', 'is damaged or incomplete')
    const [width, height] = [image.get_width(), image.get_height()]
    if (width * height > maxPixels) throw tooManyPixels(maxPixels)
    return { data: await readPixels(image, width, height), width, height }
  } finally {
    for (const image of images) image.free()
    if (decoder.decoder !== null) library.heif_context_free(decoder.decoder)
  }
}

async function readPixels(image: HeifImage, width: number, height: number): Promise<Uint8Array> {
  const data = new Uint8ClampedArray(width * height * 4)
  const isDecoded = await new Promise((resolve) =>
    image.display({ data, width, height }, (done) => resolve(done !== null)),
  )
  if (!isDecoded) throw new MediaError('damaged', 'is damaged or incomplete')
  return new Uint8Array(data.buffer)
}

export const tooManyPixels = (maxPixels: number, cause?: unknown): MediaError =>
  new MediaError('too_many_pixels', `has more than ${maxPixels / 1_000_000} million pixels`, cause)
