import { LIMITS } from '@vaani/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_AGENTS } from '../../agents/port.ts'
import { composeGreeting, mayOverfill } from './greeting.ts'

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

test('falls back to the same language of another region', () => {
  expect(say('en-GB')?.language).toBe('en-US')
  expect(say('fr-CA')?.text).toBe('Bonjour')
})

test('falls back to the agent’s own words, in their own language', () => {
  expect(say('de-DE')).toEqual({ text: 'नमस्ते हजुर', language: 'ne-NP' })
})

test('uses the default for values that are absent or not text', () => {
  expect(say('en-US')?.text).toBe('Hello there, room .')
  expect(say('en-US', { name: { first: 'Sita' }, room: null })?.text).toBe('Hello there, room .')
})

test('never treats a value as a template, and ignores inherited properties', () => {
  expect(say('en-US', { name: '{{room}}', room: 'x$&' })?.text).toBe('Hello {{room}}, room x$&.')
  const inherited = composeGreeting({
    agent: { ...agent, greeting: '{{constructor|none}}' },
    language: 'ne-NP',
    metadata: {},
  })
  expect(inherited?.text).toBe('none')
})

const filled = (template: string, metadata: Record<string, unknown>) =>
  composeGreeting({
    agent: { language: 'en-US', greeting: template, translations: {} },
    language: 'en-US',
    metadata,
  })?.text

test('returns null as soon as the text is over the limit, without reading further values', () => {
  let reads = 0
  const metadata = Object.defineProperty({}, 'a', {
    enumerable: true,
    get() {
      reads++
      return 'x'.repeat(1000)
    },
  })
  expect(filled('{{a}}'.repeat(400), metadata)).toBeUndefined()
  expect(reads).toBe(5)
})

test('the limit counts characters of the whole text, and holds for a template without values', () => {
  const limit = LIMITS.filledGreetingCharacters
  expect(filled('{{a}}', { a: '😀'.repeat(limit) })).toHaveLength(2 * limit)
  expect(filled('{{a}}.', { a: '😀'.repeat(limit) })).toBeUndefined()
  expect(filled('{{a}}{{a}}', { a: 'x'.repeat(limit / 2) })).toHaveLength(limit)
  expect(filled('{{a}}{{a}}x', { a: 'x'.repeat(limit / 2) })).toBeUndefined()
  expect(filled('x'.repeat(limit + 1), {})).toBeUndefined()
})

test('mayOverfill is false only for values that cannot exceed the limit', () => {
  const templates = fc
    .array(fc.constantFrom('{{a}}', '{{b|other}}', '{{ c }}', 'word ', '{{', '}}'), { maxLength: 400 })
    .map((parts) => parts.join('').slice(0, LIMITS.agentTextCharacters))
  const values = fc.oneof(fc.string({ unit: 'binary', maxLength: 14 }), fc.double(), fc.constant(null))
  fc.assert(
    fc.property(templates, fc.record({ a: values, b: values, c: values }), (template, metadata) => {
      if (!mayOverfill(metadata)) expect(filled(template, metadata)).toBeDefined()
    }),
  )
  expect(mayOverfill({ name: 'Sita', clinic: 'Patan', room: 4, more: { note: 'x'.repeat(99) } })).toBe(false)
  expect(mayOverfill({ a: 'x'.repeat(11) })).toBe(true)
})

test('any valid template with any metadata is null or within the limit, and equals a plain replacement', () => {
  const limit = LIMITS.filledGreetingCharacters
  const templates = fc
    .array(fc.oneof(fc.constantFrom('{{a}}', '{{b|other}}', '{{ c | d }}', '{{', '}}'), fc.string()), {
      maxLength: 60,
    })
    .map((parts) => parts.join('').slice(0, LIMITS.agentTextCharacters))
  const values = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.nat(3000).map((length) => '{{a}}'.repeat(length).slice(0, length)),
    fc.double(),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(
      templates,
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), values),
      (template, metadata) => {
        const text = filled(template, metadata)
        const whole = template.replace(
          /\{\{\s*([\w.-]{1,64})\s*(?:\|([^{}]{0,200}))?\}\}/g,
          (_, name: string, other: string | undefined) => {
            const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined
            return typeof value === 'string' || typeof value === 'number'
              ? String(value)
              : (other ?? '').trim()
          },
        )
        expect(text).toBe([...whole].length <= limit ? whole : undefined)
      },
    ),
  )
})

test('default agents leave no placeholder unfilled, whatever the metadata', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (metadata) => {
      fc.pre(!JSON.stringify(metadata).includes('{{'))
      for (const { language, greeting, translations } of DEFAULT_AGENTS)
        expect(
          composeGreeting({ agent: { language, greeting, translations }, language: 'en-US', metadata })?.text,
        ).not.toContain('{{')
    }),
  )
})
