/**
 * A process that does one job at a time on people's media. Unlike a thread in native code it can be killed, and it isolates
 * faults of such code.
 */
import { readFile, writeFile } from 'node:fs/promises'
import module from 'node:module'
import { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import { EngineError } from '../engine/engine-error.ts'
import { openImage } from '../image/open-image.ts'
import { loadEngines } from '../load-engines.ts'
import { MediaError } from '../media/media-error.ts'
import { useLanguageData } from '../ocr/languages.ts'
import { createPageReader, type PageReader } from '../ocr/page-reader.ts'
import type { PhotoReader } from '../ocr/photo-reader/photo-reader.ts'
import { walkPackets } from '../video/walk-packets.ts'
import { createBudget, usedMemoryMb } from './budget.ts'
import type { GuardData } from './guard.ts'
import type { Message, Report, Request, StepInput, StepOutput } from './job.ts'
import { KeptSides } from './kept-sides.ts'
import { runStep } from './run-step.ts'
import type { ProcessSettings } from './start-check-process.ts'
import type { StepName } from './steps.ts'
import { takePictures } from './take-pictures.ts'

const { parentId, engines: engineSettings }: ProcessSettings = JSON.parse(process.argv[2] ?? '')
const budget = createBudget()
const guardFile = import.meta.url.endsWith('.ts') ? './guard.ts' : './guard.js'
const workerData: GuardData = { shared: budget.shared, parentId }
new Worker(new URL(guardFile, import.meta.url), { workerData }).unref()

// Each process has one processor.
sharp.concurrency(1)
sharp.cache(false)
// Ignore signals that a terminal or systemd sends to every process of a service. The server ends this one after its jobs.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

useLanguageData(engineSettings.directory)
const engines = loadEngines(engineSettings)
// Jobs that need the engines report the error.
engines.catch(() => undefined)
const sides = new KeptSides()
let pageReader: Promise<PageReader> | undefined
let photoReader: Promise<PhotoReader> | undefined
/** Loads the reader of photographs once, if there is one. */
async function loadPhotoReader(): Promise<PhotoReader | undefined> {
  if (engineSettings.photoReader === undefined) return undefined
  const { createPhotoReader } = await import('../ocr/photo-reader/photo-reader.ts')
  return (photoReader ??= createPhotoReader(engineSettings))
}

async function openPageReader(): Promise<PageReader> {
  const ofPhotos = await loadPhotoReader()
  if (ofPhotos === undefined) return createPageReader()
  return (await import('../ocr/photo-reader/photo-page-reader.ts')).createPhotoPageReader(ofPhotos)
}

/** Created once, because it takes 70 MB. */
function createPageReaderOnce(): Promise<PageReader> {
  if (pageReader === undefined) {
    pageReader = openPageReader()
    // The check that needs it reports the error.
    pageReader.catch(() => undefined)
  }
  return pageReader
}

/** Loaded on first use, because verifications need neither its engines nor the decoder of TIFF. */
const loadDocuments = () => import('../ocr/read-page.ts')

async function perform(request: Request): Promise<unknown> {
  switch (request.job) {
    case 'prepare':
      await engines
      await loadPhotoReader()
      return null
    case 'open_image': {
      const { jpeg, width, height } = await openImage(await readFile(request.input.file))
      await writeFile(request.input.into, jpeg, { mode: 0o600 })
      return { width, height, bytes: jpeg.length }
    }
    case 'take_pictures':
      return takePictures(request.input)
    case 'probe_video':
      return walkPackets(request.input.file)
    case 'open_document':
      return (await loadDocuments()).countPages(request.input)
    case 'read_page':
      return (await loadDocuments()).readPage(request.input, await loadPhotoReader())
    default:
      return performStep(request.job, request.input)
  }
}

async function performStep(step: StepName, input: StepInput): Promise<StepOutput> {
  const output = await runStep(step, {
    ...input,
    engines: () => engines,
    pageReader: createPageReaderOnce,
    openSide: (file) => sides.open(input.verification, file),
  })
  // Documents with a zone have their print read. The reader loads in a thread of its own, beside the checks in between.
  if (step === 'mrz_checks' && output.findings?.mrz) void createPageReaderOnce()
  return output
}

async function report(request: Request): Promise<Report> {
  try {
    return { kind: 'done', output: await perform(request) }
  } catch (error) {
    if (error instanceof MediaError)
      return error.code === 'decoding_timeout'
        ? { kind: 'timed_out' }
        : { kind: 'refused', code: error.code, message: error.message }
    // Drop other messages, which may quote the content of a picture.
    return { kind: 'failed', engineProblem: error instanceof EngineError ? error.message : null }
  }
}

const EXCEEDED = {
  time: { kind: 'timed_out' },
  memory: { kind: 'failed', engineProblem: null, isTooLarge: true },
} as const satisfies Record<string, Report>

const send = (message: Message): void => void process.send?.(message)

process.on('message', async (request: Request) => {
  budget.begin(request.limits)
  const ended = await report(request)
  const exceeded = budget.exceeded()
  budget.end()
  // Enforce the limit even if the guard did not check in time.
  send({ kind: 'report', report: exceeded === null ? ended : EXCEEDED[exceeded], memoryMb: usedMemoryMb() })
})

await engines.catch(() => undefined)
send({ kind: 'ready' })
// Otherwise it is written at the exit, but this process is killed. Node 22.9 has no such function.
module.flushCompileCache?.()
