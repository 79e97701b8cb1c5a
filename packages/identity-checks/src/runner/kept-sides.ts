import type { OpenedImage } from '../image/open-image.ts'
import { openFile } from './take-pictures.ts'

/** Sides that are kept: those of a verification in each of two places, whose steps a process may get in turns. */
const MOST = 4
/** How long a side is kept after its last use, because no other may follow. */
const KEPT_MS = 30_000

/** Opens the sides of documents once for all steps of a verification, which then share what they read of its pixels. */
export class KeptSides {
  readonly #sides = new Map<string, Promise<OpenedImage>>()
  #dropping: NodeJS.Timeout | undefined

  /**
   * @param verification differs for each verification, whose files may have the names of earlier ones
   * @throws MediaError if it cannot be opened
   */
  open(verification: string, file: string): Promise<OpenedImage> {
    const key = `${verification} ${file}`
    const side = this.#sides.get(key) ?? openFile(file)
    // The last one used is the last to be dropped.
    this.#sides.delete(key)
    this.#sides.set(key, side)
    for (const oldest of [...this.#sides.keys()].slice(0, -MOST)) this.#sides.delete(oldest)
    clearTimeout(this.#dropping)
    this.#dropping = setTimeout(() => this.#sides.clear(), KEPT_MS).unref()
    return side
  }
}
