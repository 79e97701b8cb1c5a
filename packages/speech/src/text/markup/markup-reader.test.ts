import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostileTexts } from '../../conformance/hostile-text.ts'
import { createMarkupReader } from './markup-reader.ts'

function strip(...pieces: string[]) {
  const reader = createMarkupReader('strip')
  const parts = [...pieces.map((piece) => reader.push(piece)), reader.flush()]
  return {
    text: parts.map(({ text }) => text).join(''),
    starts: parts.flatMap(({ starts }) => starts),
    ends: parts.flatMap(({ ends }) => ends),
  }
}

// Written, and what is left to speak. Most were reported of other speech systems, whose patterns took too little or too much.
const CASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  emphasis: {
    'Please **confirm** your address.': 'Please confirm your address.',
    'This is ***very important*** text.': 'This is very important text.',
    '___Totally___ critical, _really_ *so*.': 'Totally critical, really so.',
    '**bold *it* more** and ~~old~~ new': 'bold it more and old new',
    '**a\nb** c': 'a\nb c',
    '**「重要」**です': '「重要」です',
    'कृपया **पुष्टि**गर्नुहोस्।': 'कृपया पुष्टिगर्नुहोस्।',
    'He said "**no**".': 'He said "no".',
  },
  'signs that are no emphasis': {
    '2 * 3 = 6, 5*3*2, a*b*c, x**2 + y**2 = z**2': '2 * 3 = 6, 5*3*2, a*b*c, x**2 + y**2 = z**2',
    'Use *.py and *.ts files': 'Use *.py and *.ts files',
    'snake_case_name of __proto': 'snake_case_name of __proto',
    'Dial *123# or *144*2# now, *please*.': 'Dial *123# or *144*2# now, please.',
    '*not valid in Alaska': '*not valid in Alaska',
    'f*** you, ~5 items ~10': 'f*** you, ~5 items ~10',
    '** not bold **': '** not bold **',
    '#hashtag, #5': '#hashtag, #5',
    'a\\*b\\* \\# c C:\\Users': 'a*b* # c C:\\Users',
  },
  links: {
    'See [the **docs**](https://x.y/a_b?c=(d) "t") now.': 'See the docs now.',
    '![logo](a.png) and [![b](c)](d).': 'logo and b.',
    'As [here][1], and <https://x.y/z>.\n\n[1]: https://x.y "t"': 'As here, and https://x.y/z.\n\n',
    'Fact[^1].\n\n[^1]: The source.': 'Fact.\n\nThe source.',
    '[note] and [x](see the text) and \\[[RFC](a.txt)\\]': '[note] and [x](see the text) and [RFC]',
  },
  code: {
    'Use `npm i` or ``a`b``, `**not bold**`.': 'Use npm i or a`b, **not bold**.',
    'Run:\n\n```js\nconst a = **1**\n```\n\nDone.': 'Run:\n\n\nDone.',
    '~~~\ncode\n```\n~~~ \nafter': 'after',
    'A lonely ` sign': 'A lonely ` sign',
    '```\nno end': '',
  },
  blocks: {
    '# Title': 'Title\n\n',
    '## Title ##\nText': 'Title\n\nText',
    'Title\n=====\nText\n\n---\n\nMore': 'Title\n\nText\n\n\nMore',
    '* first item': 'first item',
    '- milk\n- eggs\n  + [x] brown\n\nThen go.': 'milk\n\neggs\n\nbrown\n\nThen go.',
    '1. One\n2. Two': '1. One\n\n2. Two',
    '> quoted\n> text': 'quoted\ntext',
    '| Tea | Price |\n|-----|------:|\n| **Big** | $2 |\n| a\\|b |  |': 'Tea, Price\n\nBig, $2\n\na|b\n\n',
    '|x| is 5': '|x| is 5',
    'Tea | Price\n--- | ---:\n**Big** | $2\nSmall | a\\|b\n\nThen x | y.':
      'Tea , Price\n\nBig, $2\n\nSmall, a|b\n\n\nThen x | y.',
    'P(A | B), a || b\nis text': 'P(A | B), a || b\nis text',
    '# Run\n\n    npm i\n\n    npm start\n\nDone.': 'Run\n\n\n\n\nDone.',
    '# Steps\n\n- One\n\n    More of it.': 'Steps\n\n\nOne\n\nMore of it.',
    'Dear all,\n\n    an indented paragraph\n': 'Dear all,\n\nan indented paragraph\n',
    '# Title\nText\n    that goes on': 'Title\n\nText\nthat goes on',
    '- 5 degrees, -5': '5 degrees, -5',
  },
  mathematics: {
    'Area is $\\pi r^2$ and $$\\frac{1}{2}$$, \\(x \\leq 3\\).': 'Area is π r² and 1/2, x ≤ 3.',
    '$\\frac{d}{t}$, \\[\\sqrt{x} \\times \\text{speed}\\]': 'd ÷ t, √ x × speed',
    '$5 and $10, US$5 (A$7), $5-$10, $HOME and $PATH': '$5 and $10, US$5 (A$7), $5-$10, $HOME and $PATH',
    'so $2x + 3 = 7$ holds': 'so 2x + 3 = 7 holds',
  },
  'other markup': {
    '<break time="2s"/> <b>x</b>': '<break time="2s"/> <b>x</b>',
    'AT&amp;T &#8211; 5&nbsp;kg &lt;b&gt; &unknown; R&D': 'AT&T – 5\u00a0kg <b> &unknown; R&D',
    'one<br>two<br/>three<BR />four': 'one\ntwo\nthree\nfour',
  },
}
const rows = Object.values(CASES).flatMap((cases) => Object.entries(cases))

describe.each(Object.entries(CASES))('%s', (_, cases) => {
  test.each(Object.entries(cases))('%j', (written, spoken) => {
    expect(strip(written).text).toBe(spoken)
  })
})

const anyText = fc.oneof(
  fc
    .array(fc.constantFrom(...rows.map(([written]) => written), '\n', ' ', 'word '), { maxLength: 6 })
    .map((all) => all.join('')),
  fc.array(fc.constantFrom(...'*_~`[]()!<>|#-=$\\&;\n\r 1ax.'), { maxLength: 60 }).map((all) => all.join('')),
  fc.nat().map((seed) => [...hostileTexts({ rows: 1, seed })].at(-1) ?? ''),
)

test('pieces give what the whole gives', () => {
  fc.assert(
    fc.property(anyText, fc.array(fc.nat(400), { maxLength: 20 }), (text, cuts) => {
      const at = [
        0,
        ...cuts.map((cut) => Math.min(cut, text.length)).toSorted((one, other) => one - other),
        text.length,
      ]
      const pieces = at.slice(1).map((end, index) => text.slice(at[index], end))
      expect(strip(...pieces)).toEqual(strip(text))
      expect(strip(...text)).toEqual(strip(text))
    }),
    { numRuns: 400 },
  )
})

test('each unit comes from where it was written, in order', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { text: spoken, starts, ends } = strip(text)
      expect(starts).toHaveLength(spoken.length)
      for (const [unit, start] of starts.entries()) {
        const end = ends[unit] ?? -1
        expect(start).toBeGreaterThanOrEqual(starts[unit - 1] ?? 0)
        expect(end).toBeLessThanOrEqual(text.length)
        if (end === start + 1) expect(text.slice(start, end)).toMatch(/^(?:[|&<$\\]|)/)
      }
    }),
  )
})

test('ordinary text passes at once, and little is held of any other', () => {
  const reader = createMarkupReader('strip')
  expect(reader.push('It costs $12 and (so far) 5% of it,').text).toBe('It costs $12 and (so far) 5% of it,')
  for (const sign of [
    '*a',
    '[',
    '`',
    '$x',
    '<',
    '|',
    '&',
    '# ',
    '\\(',
    '- ',
    '```\n',
    '~~a ',
    '[a](',
    '![',
    '_a ',
  ]) {
    const held = createMarkupReader('strip')
    held.push(sign.repeat(20_000))
    expect(held.heldUnits(), sign).toBeLessThanOrEqual(2500)
  }
})

test('code goes on after a flush, and ends where its fence does', () => {
  const reader = createMarkupReader('strip')
  const read = [reader.push('So:\n```\none\n'), reader.flush(), reader.push('two\n```\nDone'), reader.flush()]
  expect(read.map(({ text }) => text).join('')).toBe('So:\n\nDone')
})

test('text that is kept stays as it is', () => {
  const reader = createMarkupReader('keep')
  expect(reader.push('**a** `b`')).toMatchObject({ text: '**a** `b`' })
  expect(reader.push('*')).toEqual({ text: '*', starts: [9], ends: [10] })
})
