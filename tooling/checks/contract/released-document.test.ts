import { expect, test } from 'vitest'
import { announcesMajor } from './released-document.ts'

test.each([
  ["---\n'@vaani/contracts': major\n---\n\nBreaks.\n", true],
  ['---\n"@vaani/client": minor\n"@vaani/contracts": major\n---\n\nBreaks.\n', true],
  ["---\n'@vaani/contracts': minor\n'@vaani/client': major\n---\n\nAdds.\n", false],
  ["---\n'@vaani/client': patch\n---\n\n'@vaani/contracts': major\n", false],
])('%j', (changeset, expected) => {
  expect(announcesMajor(changeset)).toBe(expected)
})
