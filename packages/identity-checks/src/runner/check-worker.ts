/** Runs checks in a thread, as they keep a processor busy for seconds. */
import { readFile } from 'node:fs/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { EngineError } from '../engine-error.ts'
import { openImage } from '../image/open-image.ts'
import { checkRecapture } from '../image/recapture.ts'
import { createPageReader, type PageReader } from '../ocr/page-reader.ts'
import { type Engines, type EngineSettings, loadEngines } from '../load-engines.ts'
import type { WorkerAnswer, WorkerRequest } from './job.ts'
import { runChecks } from './run-checks.ts'

/** Made when it is first needed, and kept with the thread. */
let pageReader: Promise<PageReader> | undefined
let engines: Promise<Engines> | undefined

const settings: EngineSettings = workerData ?? {}
const engineProblem = (error: unknown): string | null => (error instanceof EngineError ? error.message : null)

async function answer(request: WorkerRequest, send: (message: WorkerAnswer) => void): Promise<void> {
  switch (request.kind) {
    case 'prepare':
      engines ??= loadEngines(settings)
      await engines
      return send({ kind: 'done', extracted: null })
    case 'recapture':
      send({
        kind: 'result',
        result: await checkRecapture(await openImage(await readFile(request.frontImage))),
      })
      return send({ kind: 'done', extracted: null })
    case 'all': {
      const { files, today } = request
      pageReader ??= createPageReader()
      engines ??= loadEngines(settings)
      const extracted = await runChecks({
        files,
        today,
        pageReader: await pageReader,
        engines: await engines,
        tell: (result) => send({ kind: 'result', result }),
      })
      send({ kind: 'done', extracted })
    }
  }
}

function serve(port: MessagePort): void {
  port.on('message', (request: WorkerRequest) => {
    // What went wrong may quote what is in a picture: only that something did is told.
    answer(request, (message) => port.postMessage(message)).catch((error: unknown) =>
      port.postMessage({ kind: 'failed', engineProblem: engineProblem(error) } satisfies WorkerAnswer),
    )
  })
}

if (parentPort) serve(parentPort)
