/** A process that speaks one chunk and then nothing, for the text `stuck`; it finishes any other at once. */
import type { Reply, Request } from '../messages.ts'

const send = (reply: Reply) => process.send?.(reply)

process.on('disconnect', () => process.exit())
process.on('message', (request: Request) => {
  if (request.type === 'cancel') return
  const { id, text } = request
  send({ type: 'chunk', id, samples: new Int16Array(100) })
  if (text !== 'stuck') send({ type: 'end', id })
})
send({ type: 'ready', sampleRateHz: 22_050, speakers: 1 })
