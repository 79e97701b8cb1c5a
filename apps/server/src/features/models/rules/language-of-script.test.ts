import { expect, test } from 'vitest'
import { languageOfScript } from './language-of-script.ts'

test.each([
  ['Good morning.', 'en-US'],
  ['Guten Morgen', 'en-US'],
  ['नमस्ते, तपाईंलाई कस्तो छ?', 'hi-IN'],
  ['नमस्ते team', 'en-US'],
  ['आपका OTP 4711 है', 'hi-IN'],
  ['مرحبا', 'ar-SA'],
  ['Здравствуйте', 'ru-RU'],
  ['你好', 'zh-CN'],
  ['東京へ行きます', 'ja-JP'],
  ['Das heißt 東京 oder の', 'en-US'],
  ['12:30 😀', 'en-US'],
])('takes %s for %s', (text, language) => {
  expect(languageOfScript(text)).toBe(language)
})
