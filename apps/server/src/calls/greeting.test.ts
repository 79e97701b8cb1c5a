import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_AGENTS } from './agents.ts'
import { composeGreeting } from './greeting.ts'

const agent = {
  language: 'ne-NP',
  greeting: 'नमस्ते {{name|हजुर}}',
  translations: { 'en-US': 'Hello {{ name | there }}, room {{room}}.', 'fr-FR': 'Bonjour' },
}
const say = (language: string, metadata: Record<string, unknown> = {}) =>
  composeGreeting({ agent, language, metadata })

test('speaks the language of the call', () => {
  expect(say('en-US', { name: 'Sita', room: 4 })).toEqual({ text: 'Hello Sita, room 4.', language: 'en-US' })
})

test('takes the same language of another region', () => {
  expect(say('en-GB').language).toBe('en-US')
  expect(say('fr-CA').text).toBe('Bonjour')
})

test('falls back to the agent’s own words, in their own language', () => {
  expect(say('de-DE')).toEqual({ text: 'नमस्ते हजुर', language: 'ne-NP' })
})

test('fills what is absent, or no text, with the default', () => {
  expect(say('en-US').text).toBe('Hello there, room .')
  expect(say('en-US', { name: { first: 'Sita' }, room: null }).text).toBe('Hello there, room .')
})

test('a value is never read as a template, and no inherited name is filled', () => {
  expect(say('en-US', { name: '{{room}}', room: 'x$&' }).text).toBe('Hello {{room}}, room x$&.')
  const inherited = composeGreeting({
    agent: { ...agent, greeting: '{{constructor|none}}' },
    language: 'ne-NP',
    metadata: {},
  })
  expect(inherited.text).toBe('none')
})

test('any metadata leaves no placeholder of the agent behind', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (metadata) => {
      fc.pre(!JSON.stringify(metadata).includes('{{'))
      for (const { language, greeting, translations } of DEFAULT_AGENTS)
        expect(
          composeGreeting({ agent: { language, greeting, translations }, language: 'en-US', metadata }).text,
        ).not.toContain('{{')
    }),
  )
})
