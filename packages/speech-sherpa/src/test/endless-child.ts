/** A process that speaks without end until it is told to stop. */
import type { Reply, Request } from '../messages.ts'

const SAMPLE_RATE_HZ = 22_050
const send = (reply: Reply) => process.send?.(reply)
const canceled = new Set<number>()

process.on('disconnect', () => process.exit())
process.on('message', async (request: Request) => {
  if (request.type === 'cancel') {
    canceled.add(request.id)
    return
  }
  const { id } = request
  while (!canceled.has(id)) {
    send({ type: 'chunk', id, samples: new Int16Array(SAMPLE_RATE_HZ) })
    await new Promise((resolve) => setImmediate(resolve))
  }
  send({ type: 'end', id })
})
send({ type: 'ready', sampleRateHz: SAMPLE_RATE_HZ, speakers: 1 })
