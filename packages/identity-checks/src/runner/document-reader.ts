import type { EngineSettings } from '../load-engines.ts'
import { createJobRunner, type JobShare, type JobTrouble } from './job-runner.ts'
import { MediaError, type MediaErrorCode } from '../media/media-error.ts'
import type { ReadPage } from '../ocr/layout.ts'
import type { ReadingOptions } from '../ocr/read-page.ts'

/** A document, and on whose behalf it is read. */
export interface OwnedDocument {
  /** Path of a JPEG, PNG, WebP, HEIC, AVIF or TIFF image, or of a PDF. It must exist until the promise settles. */
  readonly file: string
  /** Account that the document is read for. Owners take turns, page by page. */
  readonly owner?: string
  /** Ends the wait, and the process that reads. */
  readonly signal?: AbortSignal
}

export interface DocumentToRead extends OwnedDocument, ReadingOptions {
  /** Codes that `toLanguageCodes` returned. */
  readonly languages: readonly string[]
}

/** Reads documents in processes that can be killed, and shares these between owners. */
export interface DocumentReader extends AsyncDisposable {
  /**
   * Counts the pages of a document. Waits for no page that is being read.
   *
   * @throws MediaError if the document is refused. Its message is safe to show to the sender.
   * @throws CheckRunError `busy`, `failed`, `aborted`
   */
  countPages(document: OwnedDocument): Promise<number>
  /**
   * Reads a page in the background: whole documents of its owner come first.
   *
   * @param page from 0
   * @throws MediaError, CheckRunError as `countPages` does
   */
  readPage(document: DocumentToRead, page: number): Promise<ReadPage>
  /**
   * Reads all pages of a document.
   *
   * @param pages their number, if they were counted already
   * @throws MediaError, CheckRunError as `countPages` does
   */
  read(document: DocumentToRead, pages?: number): Promise<ReadPage[]>
}

export interface DocumentReaderOptions {
  /**
   * Maximum number of processes that read, at least 2; ideally the number of processors. Each takes 200 to 800 MB while it works. Two
   * more count pages.
   */
  places: number
  /** Documents with more pages are refused. Default 50. */
  maxPages?: number
  /** CPU time for a page. Default 30 s. */
  pageProcessorMs?: number
  /** Time without a document after which the processes end, to return their memory. Default 1 minute. */
  idleMs?: number
  /** Reads photographs, by default with tesseract, which reads everything else. Language data is searched in the directory as well. */
  photos?: Pick<EngineSettings, 'photoReader' | 'directory'>
  /** Called when a job does not complete. */
  onTrouble?: (trouble: JobTrouble) => void
}

/** Growth of a process while it reads a page. */
const MEMORY_MB = 1024
/** Limits of a page that the error names with their values. */
const LIMITED: ReadonlySet<MediaErrorCode> = new Set(['decoding_timeout', 'too_much_memory'])
/** Pages of an owner that may wait. */
const MAX_WAITING = 64
/** Processes that count pages, one of which is left to other owners. */
const COUNTING_PLACES = 2

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
    idleMs = 60_000,
    photos = {},
    onTrouble = () => undefined,
  } = options
  const jobs = createJobRunner({
    places,
    engines: photos,
    limits: { read_page: { processorMs: pageProcessorMs, memoryMb: MEMORY_MB } },
    maxWaiting: MAX_WAITING,
    idleMs,
    onTrouble,
  })
  // A count takes milliseconds, and its owner's pages half a minute each. Nobody should wait for these to learn that a document was accepted.
  const counts = createJobRunner({
    places: COUNTING_PLACES,
    engines: {},
    limits: {},
    maxWaiting: MAX_WAITING,
    idleMs,
    onTrouble,
  })

  async function readOne(
    { owner = '', signal, ...reading }: DocumentToRead,
    { page, queue }: { page: number } & Pick<JobShare, 'queue'>,
  ): Promise<ReadPage> {
    try {
      return await jobs.performIntake('read_page', { ...reading, page }, { owner, queue, signal })
    } catch (error) {
      if (!(error instanceof MediaError) || !LIMITED.has(error.code)) throw error
      const limit =
        error.code === 'too_much_memory'
          ? `${MEMORY_MB} MB of memory`
          : `${pageProcessorMs / 1000} s of processor time`
      throw new MediaError(error.code, `has a page ${page + 1} that takes more than ${limit} to read`, error)
    }
  }

  const countPages = async ({ file, owner = '', signal }: OwnedDocument): Promise<number> =>
    (await counts.performIntake('open_document', { file, maxPages }, { owner, signal })).pages

  return {
    countPages,
    readPage: (document, page) => readOne(document, { page, queue: 'checks' }),
    async read(document, known) {
      // One page that fails ends the others.
      using ended = abortedAtEnd()
      const { signal } = document
      const own = { ...document, signal: AbortSignal.any([ended.signal, ...(signal ? [signal] : [])]) }
      const count = known ?? (await countPages(own))
      const pages: ReadPage[] = []
      let next = 0
      // As many as an owner has places: more would only wait for each other, and might give up.
      const lanes = Array.from({ length: Math.min(count, Math.max(1, places - 1)) }, async () => {
        while (next < count) {
          const page = next++
          pages[page] = await readOne(own, { page, queue: 'intake' })
        }
      })
      await Promise.all(lanes)
      return pages
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([jobs[Symbol.asyncDispose](), counts[Symbol.asyncDispose]()])
    },
  }
}

function abortedAtEnd(): Disposable & { signal: AbortSignal } {
  const controller = new AbortController()
  return { signal: controller.signal, [Symbol.dispose]: () => controller.abort() }
}
