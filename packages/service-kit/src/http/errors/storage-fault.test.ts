import { expect, test } from 'vitest'
import { BlobError } from '../../blobs/blob-store.ts'
import { storageFault } from './storage-fault.ts'

const systemError = (code: string, cause?: unknown) =>
  Object.assign(new Error(`${code}: something, write`, { cause }), { code })

test.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE', '53100'])(
  '%s is 503, with a time to come back and nothing of the error in its message',
  (code) => {
    const fault = storageFault(systemError(code))
    expect(fault).toMatchObject({ status: 503, code: 'service_unavailable' })
    expect(fault?.retryAfterSeconds).toBeGreaterThan(0)
    expect(fault?.message).not.toContain(code)
  },
)

test('finds a fault among the causes', () => {
  expect(storageFault(systemError('ERR_STREAM', systemError('ENOSPC')))).toMatchObject({ status: 503 })
  expect(storageFault(new BlobError('unavailable', 'Away'))).toMatchObject({ status: 503 })
})

test('other errors are not storage faults', () => {
  for (const error of [systemError('ENOENT'), new BlobError('not_found', 'None'), 'ENOSPC', undefined, null])
    expect(storageFault(error)).toBeUndefined()
})

test('circular causes terminate', () => {
  const error = new Error('One')
  error.cause = error
  expect(storageFault(error)).toBeUndefined()
})
