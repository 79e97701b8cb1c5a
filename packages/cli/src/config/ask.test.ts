import { expect, test } from 'vitest'
import { createEnvironment } from '../test/run.ts'
import { ask } from './ask.ts'

const questions = [{ text: 'Name: ' }, { text: 'Secret: ', isSecret: true }]

test('shows typed text but not a secret, even if both are pasted at once', async () => {
  const { environment, stdin, stderr } = createEnvironment()
  const answers = ask(environment, questions)
  stdin.write('Sita\nsesame \n')
  expect(await answers).toEqual(['Sita', 'sesame'])
  const shown = stderr()
  expect(shown).toContain('Sita')
  expect(shown).toContain('Secret: ')
  expect(shown).not.toContain('ses')
})

test.for([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('ends at %s', async ([, key]) => {
  const { environment, stdin } = createEnvironment()
  const answers = ask(environment, questions)
  stdin.write(`Sita\n${key}`)
  await expect(answers).rejects.toMatchObject({ family: 'interrupted' })
})

test('ends when its signal is aborted', async () => {
  const interruption = new AbortController()
  const { environment } = createEnvironment({ signal: interruption.signal })
  const answers = ask(environment, questions)
  interruption.abort(new Error('enough'))
  await expect(answers).rejects.toThrow('enough')
})
