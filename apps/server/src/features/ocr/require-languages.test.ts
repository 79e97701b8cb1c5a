import { expect, test } from 'vitest'
import { requireLanguages } from './require-languages.ts'

test('languages whose data is installed are accepted', () => {
  expect(() => requireLanguages([])).not.toThrow()
  expect(() => requireLanguages(['en', 'ne-NP'])).not.toThrow()
})

test('the error names what is missing', () => {
  expect(() => requireLanguages(['en', 'he'])).toThrow(
    'VAANI_OCR_LANGUAGES: he needs the package @tesseract.js-data/heb, which is not installed in VAANI_ENGINES_DIRECTORY',
  )
  expect(() => requireLanguages(['tlh'])).toThrow('tlh is not a language that can be read')
  expect(() => requireLanguages(['constructor'])).toThrow('constructor is not a language that can be read')
})
