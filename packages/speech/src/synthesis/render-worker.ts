import { parentPort } from 'node:worker_threads'
import { createFileRenderer, type FileRenderer } from './render-file.ts'
import type { RenderReply, RenderRequest } from './render-messages.ts'
import { createStreamRenderer, type StreamRenderer } from './render-stream.ts'

const port = parentPort
if (port === null) throw new Error('This file is a worker thread')
const files = new Map<number, FileRenderer>()
const streams = new Map<number, StreamRenderer>()

async function answer(
  request: RenderRequest,
): Promise<Omit<Extract<RenderReply, { type: 'done' }>, 'id' | 'type'>> {
  if (request.type === 'open') {
    files.set(request.file, createFileRenderer(request.settings))
    return {}
  }
  if (request.type === 'open_stream') {
    streams.set(request.file, await createStreamRenderer(request.settings))
    return {}
  }
  const file = files.get(request.file)
  const either = file ?? streams.get(request.file)
  // A file is closed while its other requests are still on the way.
  if (either === undefined) return {}
  switch (request.type) {
    case 'measure':
      file?.measure(request.samples)
      return {}
    case 'measured': {
      const measured = await file?.measured()
      return measured === undefined ? {} : { measured }
    }
    case 'render':
      return { bytes: either.render(request.samples) }
    case 'finish':
      return { bytes: either.finish() }
    case 'close':
      either.close()
      files.delete(request.file)
      streams.delete(request.file)
      return {}
  }
}

port.on('message', (request: RenderRequest) => {
  const { id } = request
  answer(request).then(
    ({ bytes, ...rest }) =>
      port.postMessage(
        { id, type: 'done', ...rest, ...(bytes && { bytes }) } satisfies RenderReply,
        bytes ? [bytes.buffer] : [],
      ),
    (error: unknown) => port.postMessage({ id, type: 'failed', error } satisfies RenderReply),
  )
})
