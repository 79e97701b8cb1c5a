import { expect, test } from 'vitest'
import { z } from 'zod'
import { FormFields } from './form-fields.ts'

const text = { kind: 'text', description: 'Text.', schema: z.string().min(1) } as const
const fieldsOf = (values: Record<string, string>) => {
  const fields = new FormFields({
    model: { ...text, required: true },
    language: { ...text, required: false },
  })
  for (const [name, value] of Object.entries(values)) fields.add(name, value)
  return fields.complete()
}

test('an optional part that is empty counts as absent; one that is not in the contract is passed on', () => {
  expect(fieldsOf({ model: 'a', language: '', other: '' })).toEqual({ model: 'a', other: '' })
})

test('a required part must not be empty, nor missing', () => {
  expect(() => fieldsOf({ model: '' })).toThrow('model: must not be empty')
  expect(() => fieldsOf({})).toThrow('model: is missing')
})
