import { LIMITS } from '@vaani/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readNumbers } from './read-numbers.ts'
import { CSV_HEADER, toCsvLine } from './rules/write-csv.ts'

const NUMBER = '+9779812345678'
const OTHER = '+9779812345679'
const problemsOf = async (csv: string) => (await readNumbers(csv))?.errors

test.for([
  ['a header, a mark of UTF-8 and Windows line ends', `\uFEFFphone_number,reason\r\n${NUMBER},asked\r\n`],
  ['no header', `${NUMBER},asked\n`],
  ['semicolons, as Excel writes in many languages', `Name;Phone;Note\r\nSita;${NUMBER};asked\r\n`],
  ['tabs', `note\tMobile no.\nasked\t${NUMBER}`],
  ['a plus sign that a spreadsheet removed', 'number,reason\n9779812345678,asked'],
  ['an apostrophe before the plus sign', `number,reason\n'${NUMBER},asked`],
  ['spaces, dashes and parentheses', 'phone,reason\n+977 (981) 234-5678,asked'],
  ['spaces that do not break, and long dashes', 'phone,reason\n+977 981–2345678,asked'],
  ['two zeros for the plus sign', '00977 9812345678,asked'],
  ['Devanagari digits and names', 'फोन,कारण\n+९७७ ९८१२३४५६७८,asked'],
  ['quotes', `"phone_number","reason"\n"${NUMBER}","asked"\n`],
  ['line ends of old Macs, and blank lines', `phone,reason\r\r${NUMBER},asked\r,\r`],
  ['invisible marks of direction', `phone,reason\n‎${NUMBER}‬,asked`],
])('reads %s', async ([, csv = '']) => {
  expect(await readNumbers(csv)).toEqual({
    numbers: [{ phoneNumber: NUMBER, reason: 'asked' }],
    duplicates: 0,
    errors: [],
  })
})

test('imports what is right, and reports each other line', async () => {
  const csv = [
    'phone,reason',
    NUMBER,
    ',no number',
    '9812345678,national',
    '09812345678,national with zero',
    '9.77981E+12,rounded',
    'call 9812345678,words',
    '+97798123456789012,long',
    `"${OTHER}","two
lines"`,
    `${OTHER},${'x'.repeat(201)}`,
    '=HYPERLINK("http://example.com"),formula',
  ].join('\n')
  expect(await readNumbers(csv)).toEqual({
    numbers: [
      { phoneNumber: NUMBER, reason: null },
      { phoneNumber: OTHER, reason: 'two lines' },
    ],
    duplicates: 0,
    errors: [
      { line: 3, problem: 'no_number' },
      { line: 4, problem: 'no_country_code' },
      { line: 5, problem: 'no_country_code' },
      { line: 6, problem: 'rounded_number' },
      { line: 7, problem: 'invalid_number' },
      { line: 8, problem: 'invalid_number' },
      { line: 11, problem: 'long_reason' },
      { line: 12, problem: 'invalid_number' },
    ],
  })
})

test('does not take a first line with a wrong number for a header', async () => {
  expect(await problemsOf(`981234\n${NUMBER}`)).toEqual([{ line: 1, problem: 'no_country_code' }])
})

test('counts a number once, and keeps the reason of its first line', async () => {
  expect(await readNumbers(`${NUMBER},first\n977 9812345678,second`)).toEqual({
    numbers: [{ phoneNumber: NUMBER, reason: 'first' }],
    duplicates: 1,
    errors: [],
  })
})

test.for([
  ['that never end', `phone\n${NUMBER}\n"+977 98\n${OTHER}`],
  ['before other text', `phone\n${NUMBER}\n"a"b\n${OTHER}`],
  ['that end in another line that has quotes', `phone\n${NUMBER}\n"a\n"${OTHER}"`],
])('refuses the line of quotes %s, and reads the lines around it', async ([, csv = '']) => {
  expect(await readNumbers(csv)).toMatchObject({
    numbers: [{ phoneNumber: NUMBER }, { phoneNumber: OTHER }],
    errors: [{ line: 3, problem: 'wrong_quotes' }],
  })
})

test('reads a large file of one cell, of quotes, and of separators', async () => {
  const size = LIMITS.doNotCallImportBytes
  expect(await readNumbers(`"${'x'.repeat(size)}`)).toMatchObject({ errors: [{ line: 1 }] })
  expect(await readNumbers(`"${'""'.repeat(size / 2)}`)).toMatchObject({ errors: [{ line: 1 }] })
  expect(await readNumbers(`${NUMBER}${','.repeat(size)}\n${OTHER}`)).toMatchObject({ numbers: [{}, {}] })
})

test('reads neither a file with too many lines, nor nothing from an empty one', async () => {
  expect(await readNumbers(`${NUMBER}\n`.repeat(LIMITS.doNotCallImportLines + 1))).toBeNull()
  expect(await readNumbers('\uFEFF\r\n')).toEqual({ numbers: [], duplicates: 0, errors: [] })
})

test('reads whatever was exported, and no exported reason is a formula', async () => {
  const reasons = fc.oneof(
    fc.string({ minLength: 1, maxLength: 30 }),
    fc.constantFrom('=1+1', "'=1+1", '+1', '-1', '@SUM(A1)', 'a, "b"; c', 'मत बोलाउनुहोस्', "'quoted'"),
  )
  await fc.assert(
    fc.asyncProperty(reasons, async (text) => {
      const reason = text.trim()
      fc.pre(reason !== '')
      const line = toCsvLine({
        phone_number: NUMBER,
        reason,
        source: 'added',
        created_at: '2026-11-20T00:00:00.000Z',
      })
      expect(line.split(',')[1]).not.toMatch(/^"?[=+\-@\t]/)
      expect((await readNumbers(CSV_HEADER + line))?.numbers).toEqual([{ phoneNumber: NUMBER, reason }])
    }),
  )
})
