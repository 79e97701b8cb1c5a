import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { loggerOptions } from './log.ts'

function capture(write: (log: pino.Logger) => void): string {
  let text = ''
  const stream = new Writable({ write: (chunk, _, done) => ((text += String(chunk)), done()) })
  write(pino(loggerOptions('info'), stream))
  return text
}

test('unlisted fields are left out', () => {
  const line = capture((log) =>
    log.info({ call_id: 'call_1', to: '+9779812345678', body: { name: 'Sita' } }, 'Placed'),
  )
  expect(line).toContain('call_1')
  expect(line).not.toMatch(/9779812345678|Sita/)
})

test('an error shows its code and stack frames, not its message', () => {
  const error = Object.assign(new Error('duplicate key (phone)=(+9779812345678)'), { code: '23505' })
  const line = capture((log) => log.error({ error }, 'A request failed'))
  expect(line).toContain('23505')
  expect(line).toContain('log.test.ts')
  expect(line).not.toContain('9779812345678')
})

test('fields that a library logs under other names are left out as well', () => {
  const line = capture((log) =>
    log.error({ err: new Error('secret'), req: { url: '/?token=secret' } }, 'Broken'),
  )
  expect(line).not.toContain('secret')
})
