import { expect, test } from 'vitest'
import { UNAVAILABILITY, unavailabilityOf } from './database-error.ts'

const sqlError = (code: string, message = 'of Postgres') =>
  Object.assign(new Error(message), { severity: 'ERROR', code })
const systemError = (code: string, syscall?: string) =>
  Object.assign(new Error(code), { code, ...(syscall !== undefined && { syscall }) })

test.each([
  ['08006', 'away'],
  ['08P01', 'away'],
  ['25006', 'read_only'],
  ['25P03', 'away'],
  ['28P01', 'refused'],
  ['3D000', 'refused'],
  ['40001', 'conflict'],
  ['40P01', 'conflict'],
  ['53100', 'full'],
  ['53200', 'overloaded'],
  ['53300', 'overloaded'],
  ['57014', 'overloaded'],
  ['57P01', 'away'],
  ['57P02', 'away'],
  ['57P03', 'away'],
  // Errors of ours, or refusals that handlers interpret.
  ['23505', null],
  ['23503', null],
  ['22P02', null],
  ['25P02', null],
  ['3F000', null],
  ['42P01', null],
  ['42501', null],
  ['XX000', null],
])('the SQLSTATE %s is %s', (code, expected) => {
  expect(unavailabilityOf(sqlError(code))).toBe(expected)
})

test.each([
  ['ECONNREFUSED', 'connect', 'away'],
  ['ECONNRESET', 'read', 'away'],
  ['EPIPE', 'write', 'away'],
  ['ETIMEDOUT', 'connect', 'away'],
  ['ENOTFOUND', 'getaddrinfo', 'away'],
  // The file of a Unix socket, and files of ours.
  ['ENOENT', 'connect', 'away'],
  ['ENOENT', 'open', null],
  ['EACCES', 'open', null],
  ['ENOSPC', 'write', null],
  // A caller that hung up.
  ['ECONNRESET', undefined, null],
])('the system error %s of %s is %s', (code, syscall, expected) => {
  expect(unavailabilityOf(systemError(code, syscall))).toBe(expected)
})

test('the first error counts if several addresses were tried', () => {
  const refused = [systemError('ECONNREFUSED', 'connect'), systemError('ENETUNREACH', 'connect')]
  expect(unavailabilityOf(new AggregateError(refused))).toBe('away')
})

test('a schema change under an open connection is temporary', () => {
  expect(unavailabilityOf(sqlError('0A000', 'cached plan must not change result type'))).toBe('conflict')
  expect(unavailabilityOf(sqlError('0A000'))).toBe(null)
})

test('values that are not errors, or have no code, are not outages', () => {
  for (const thrown of [undefined, null, 'away', {}, new Error('constructor'), new TypeError('x')])
    expect(unavailabilityOf(thrown)).toBe(null)
})

test('each has a retry delay', () => {
  for (const { retryAfterSeconds } of Object.values(UNAVAILABILITY))
    expect(retryAfterSeconds).toBeGreaterThan(0)
})
