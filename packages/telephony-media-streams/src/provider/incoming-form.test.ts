import { expect, test } from 'vitest'
import { readIncomingForm } from './incoming-form.ts'

const FORM = {
  AccountSid: 'AC1',
  CallSid: 'CA1',
  Direction: 'inbound',
  To: '+97714412345',
  From: '+9779812345678',
}
const read = (changes: object = {}) =>
  readIncomingForm(new URLSearchParams({ ...FORM, ...changes }).toString(), {
    accountSid: 'AC1',
    isCallSid: (value) => value === 'CA1',
  })

test('a call that comes in is read, of our account alone', () => {
  expect(read()).toEqual({ callSid: 'CA1', to: '+97714412345', from: '+9779812345678' })
  expect(read({ AccountSid: 'AC2' })).toBeUndefined()
  expect(read({ CallSid: '..' })).toBeUndefined()
  expect(read({ Direction: 'outbound-api' })).toBeUndefined()
})

test.each(['+266696687', 'anonymous', 'sip:me@example.com', ''])('a caller who is %j is withheld', (From) => {
  expect(read({ From })).toEqual({ callSid: 'CA1', to: '+97714412345' })
})
