import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { copyForm } from './copy-form.ts'
import { FormError } from './to-v2.ts'

const CALLERS = 'https://caller.example/hook'
const FORM = [
  '--b\r\ncontent-disposition: form-data; name="callback_url"\r\n\r\n',
  `${CALLERS}\r\n`,
  '--b\r\ncontent-disposition: form-data; name="external_id"\r\n\r\nperson-42\r\n',
  '--b\r\ncontent-disposition: form-data; name="front_image"; filename="x"\r\ncontent-type: image/png\r\n\r\n',
  'the picture\r\n--b--\r\n',
].join('')

const copy = async (form: string, callbackUrl: string | null = null, seed = 'seed') => {
  const copied = copyForm(Readable.from([form]), 'multipart/form-data; boundary=b', { seed, callbackUrl })
  return { ...copied, text: await text(Readable.from(copied.body)) }
}

test('keeps everything but where the caller wanted its callback', async () => {
  const copied = await copy(FORM)
  const form = await new Response(copied.text, { headers: { 'content-type': copied.contentType } }).formData()
  expect([...form.keys()]).toEqual(['external_id', 'front_image'])
  expect(form.get('external_id')).toBe('person-42')
  const file = form.get('front_image')
  expect(file).toBeInstanceOf(File)
  if (file instanceof File) expect([file.type, await file.text()]).toEqual(['image/png', 'the picture'])
  expect(copied.text).not.toContain(CALLERS)
})

test('calls back where it is asked to', async () => {
  const { text } = await copy(FORM, 'https://ours.example/')
  expect(text).toContain('https://ours.example/')
  expect(text).not.toContain(CALLERS)
})

test('gives the same bytes again, with a boundary that only the seed gives away', async () => {
  const [one, same, other] = [await copy(FORM), await copy(FORM), await copy(FORM, null, 'other')]
  expect(same.text).toBe(one.text)
  expect(other.contentType).not.toBe(one.contentType)
})

test('a form that breaks off is refused', async () => {
  await expect(copy(FORM.slice(0, -20))).rejects.toThrow(FormError)
})
