/** Runs checks in a thread, as they keep a processor busy for seconds. */
import { readFile } from 'node:fs/promises'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { openImage } from '../image/open-image.ts'
import { checkRecapture } from '../image/recapture.ts'
import { createPageReader, type PageReader } from '../ocr/page-reader.ts'
import type { WorkerAnswer, WorkerRequest } from './job.ts'
import { runChecks } from './run-checks.ts'

/** Made when it is first needed, and kept with the thread. */
let pageReader: Promise<PageReader> | undefined

async function answer(request: WorkerRequest, send: (message: WorkerAnswer) => void): Promise<void> {
  switch (request.kind) {
    case 'recapture':
      send({
        kind: 'result',
        result: await checkRecapture(await openImage(await readFile(request.frontImage))),
      })
      return send({ kind: 'done', extracted: null })
    case 'all': {
      const { files, today } = request
      pageReader ??= createPageReader()
      const extracted = await runChecks({
        files,
        today,
        pageReader: await pageReader,
        tell: (result) => send({ kind: 'result', result }),
      })
      send({ kind: 'done', extracted })
    }
  }
}

function serve(port: MessagePort): void {
  port.on('message', (request: WorkerRequest) => {
    // What went wrong may quote what is in a picture: only that something did is told.
    answer(request, (message) => port.postMessage(message)).catch(() =>
      port.postMessage({ kind: 'failed' } satisfies WorkerAnswer),
    )
  })
}

if (parentPort) serve(parentPort)
