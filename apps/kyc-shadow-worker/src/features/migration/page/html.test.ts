import fc from 'fast-check'
import { parseHTML } from 'linkedom'
import { expect, test } from 'vitest'
import { html } from './html.ts'

test('any text is the same text in an element and in an attribute', () => {
  const unit = fc.constantFrom('<', '>', '"', "'", '&', ';', '=', '/', '-', '!', 'a', 'नि', ' ')
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      const { document } = parseHTML(
        html`<body>
          <p title="${text}">${text}</p>
        </body>`.text,
      )
      expect(document.querySelectorAll('body *').length).toBe(1)
      const element = document.querySelector('p')
      expect(element?.textContent).toBe(text)
      expect(element?.getAttribute('title')).toBe(text)
    }),
  )
})

test('markup, lists and nothing are taken as what they are', () => {
  expect(html`${[html`<b>${1}</b>`, ['&', null], false]}`.text).toBe('<b>1</b>&amp;')
})
