import { expect, test } from 'vitest'
import { languagePackage, languagesIn, ocrLanguages, scriptsOf, toLanguageCodes } from './languages.ts'

test('knows the languages whose data is installed', () => {
  expect(ocrLanguages()).toEqual(['en', 'hi', 'ne'])
})

test.each([
  ['en', ['eng']],
  ['ne-NP', ['nep']],
  ['hin', ['hin']],
  ['ne+en', ['nep', 'eng']],
  ['en+en-GB', ['eng']],
  ['eo', undefined],
  ['ja', undefined],
  ['en+eo', undefined],
  ['en+hi+ne+en', undefined],
  ['', undefined],
  ['../eng', undefined],
  ['constructor', undefined],
])('%j is read with %j', (language, codes) => {
  expect(toLanguageCodes(language)).toEqual(codes)
})

test('knows the script of a language, and its package', () => {
  expect(languagesIn('Deva')).toEqual(['hi', 'mr', 'ne', 'sa'])
  expect(scriptsOf(['eng', 'nep'])).toEqual(new Set(['Latn', 'Deva']))
  expect(languagePackage('he-IL')).toBe('@tesseract.js-data/heb')
  expect(languagePackage('tlh')).toBeUndefined()
})
