import { createJobRunner, type JobTrouble } from './job-runner.ts'
import { MediaError } from '../media/media-error.ts'
import type { ReadPage } from '../ocr/layout.ts'

export interface DocumentToRead {
  /** Path of a JPEG, PNG, WebP, HEIC, AVIF or TIFF image, or of a PDF. It must exist until the promise settles. */
  readonly file: string
  /** Codes that `toLanguageCodes` returned. */
  readonly languages: readonly string[]
  /** Account that the document is read for. Owners take turns, page by page. */
  readonly owner?: string
  /** Ends the wait, and the process that reads. */
  readonly signal?: AbortSignal
}

/** Reads documents in processes that can be killed, and shares these between owners. */
export interface DocumentReader extends AsyncDisposable {
  /**
   * Reads all pages of a document.
   *
   * @throws MediaError if the document is refused. Its message is safe to show to the sender.
   * @throws CheckRunError `busy`, `failed`, `aborted`
   */
  read(document: DocumentToRead): Promise<ReadPage[]>
}

export interface DocumentReaderOptions {
  /** Maximum number of processes, at least 2; ideally the number of processors. Each takes 200 to 800 MB while it works. */
  places: number
  /** Documents with more pages are refused. Default 50. */
  maxPages?: number
  /** CPU time for a page. Default 30 s. */
  pageProcessorMs?: number
  /** Time for a whole document, including its waits. Default 5 minutes. */
  documentMs?: number
  /** Time without a document after which the processes end, to return their memory. Default 1 minute. */
  idleMs?: number
  /** Called when a job does not complete. */
  onTrouble?: (trouble: JobTrouble) => void
}

/** Growth of a process while it reads a page. */
const MEMORY_MB = 1024
/** Pages of an owner that may wait: those of ten documents, each of which has at most one per process waiting. */
const MAX_WAITING = 64

/**
 * Creates a reader of documents. It starts its processes with the first document.
 *
 * @example
 * await using reader = createDocumentReader({ places: 2 })
 * const pages = await reader.read({ file: 'letter.pdf', languages: ['eng'] })
 * console.log(textOf(pages.flatMap(({ blocks }) => blocks)))
 */
export function createDocumentReader(options: DocumentReaderOptions): DocumentReader {
  const {
    places,
    maxPages = 50,
    pageProcessorMs = 30_000,
    documentMs = 300_000,
    idleMs = 60_000,
    onTrouble = () => undefined,
  } = options
  const jobs = createJobRunner({
    places,
    engines: {},
    limits: { read_page: { processorMs: pageProcessorMs, memoryMb: MEMORY_MB } },
    maxWaiting: MAX_WAITING,
    idleMs,
    onTrouble,
  })

  return {
    async read({ file, languages, owner = '', signal }) {
      // One page that fails ends the others.
      using ended = abortedAtEnd()
      const timeout = AbortSignal.timeout(documentMs)
      const share = { owner, signal: AbortSignal.any([ended.signal, timeout, ...(signal ? [signal] : [])]) }
      try {
        const { pages: count } = await jobs.performIntake('open_document', { file, maxPages }, share)
        const pages: ReadPage[] = []
        let next = 0
        const lanes = Array.from({ length: Math.min(count, places) }, async () => {
          while (next < count) {
            const page = next++
            pages[page] = await jobs.performIntake('read_page', { file, page, languages }, share)
          }
        })
        await Promise.all(lanes)
        return pages
      } catch (error) {
        if (timeout.aborted && signal?.aborted !== true)
          throw new MediaError(
            'decoding_timeout',
            'has too much to read: it could not be read in time',
            error,
          )
        throw error
      }
    },
    [Symbol.asyncDispose]: () => jobs[Symbol.asyncDispose](),
  }
}

function abortedAtEnd(): Disposable & { signal: AbortSignal } {
  const controller = new AbortController()
  return { signal: controller.signal, [Symbol.dispose]: () => controller.abort() }
}
