import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { startTestWorker } from './support/start-test-worker.ts'

test('a start says when a former key can be removed, because a worker has no reseal', async () => {
  const [former, current] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64'))
  await using before = await startTestWorker({ environment: { VAANI_ENCRYPTION_KEY: `${former}` } })
  await using after = await startTestWorker({
    beside: before,
    environment: { VAANI_ENCRYPTION_KEY: `${current},${former}` },
  })
  const lines = after.lines.join('')
  expect(lines).toContain(
    'Key 2 of VAANI_ENCRYPTION_KEY may still seal something that is stored: remove it after',
  )
  expect(lines).not.toContain('reseal')
})
