import { expect, test } from 'vitest'
import { makeLinksAbsolute, relativeLinks } from './readme-links.ts'

const options = { directory: 'packages/client', files: 'https://example.com/blob/v1' }

test('links to files become absolute; anchors, addresses and code stay', () => {
  const readme = [
    'See [why](../../docs/why.md#reason), [here](examples), [below](#below),',
    '[there](https://example.org/a), [mail](mailto:a@example.org).',
    '```md',
    '[code](../code)',
    '```',
    '![picture](./picture.png)',
  ]
  expect(makeLinksAbsolute(readme.join('\n'), options).split('\n')).toEqual([
    'See [why](https://example.com/blob/v1/docs/why.md#reason), [here](https://example.com/blob/v1/packages/client/examples), [below](#below),',
    '[there](https://example.org/a), [mail](mailto:a@example.org).',
    '```md',
    '[code](../code)',
    '```',
    '![picture](https://example.com/blob/v1/packages/client/picture.png)',
  ])
})

test('an absolute README has no relative links left', () => {
  const readme = '[a](../a) [b](b.md#c)'
  expect(relativeLinks(readme)).toEqual(['../a', 'b.md'])
  expect(relativeLinks(makeLinksAbsolute(readme, options))).toEqual([])
})
