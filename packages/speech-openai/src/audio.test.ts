import { encodeWav, pcm16Bytes, wavHeader } from '@vaani/pcm-audio'
import { expect, test } from 'vitest'
import { type Behaviour, SERVER_RATE_HZ } from './test/speech-server.ts'
import { fails, say, speechError, useVendor } from './test/use-vendor.ts'

const vendor = useVendor()

test.each([1, 2, 3, 4801])('samples split over chunks of %i bytes are whole again', async (size) => {
  const spoken: Behaviour = async (response, pcm) => {
    response.writeHead(200)
    for (let start = 0; start < 300; start += size) {
      response.write(pcm.subarray(start, Math.min(start + size, 300)))
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end(pcm.subarray(300))
  }
  const engine = vendor.open()
  const whole = await say(engine)
  vendor.server.next.push(spoken)
  expect(await say(engine)).toEqual(whole)
})

test('WAV is recognised by its content, in its own rate and channels', async () => {
  const stereo = (pcm: Uint8Array) => {
    const mono = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2)
    return Int16Array.from({ length: mono.length * 2 }, (_, index) => mono[index >> 1] ?? 0)
  }
  const engine = vendor.open()
  const whole = await say(engine)
  vendor.server.next.push(
    (response, pcm) =>
      response.end(
        encodeWav(new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2), { sampleRateHz: 24_000 }),
      ),
    // The length in the header is unknown, as from a server that streams.
    (response, pcm) => {
      response.write(wavHeader({ sampleRateHz: 24_000, channels: 2 }).subarray(0, 3))
      response.write(wavHeader({ sampleRateHz: 24_000, channels: 2 }).subarray(3))
      response.end(pcm16Bytes(stereo(pcm)))
    },
    (response, pcm) =>
      response.end(
        encodeWav(new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2), { sampleRateHz: 48_000 }),
      ),
  )
  expect(await say(engine)).toEqual(whole)
  expect(await say(engine)).toEqual(whole)
  // Half as long, because its samples are now at twice the rate.
  expect(Math.abs((await say(engine)).length - whole.length / 2)).toBeLessThan(2)
})

test.each([
  ['MP3 with a tag', 'ID3\u0004'],
  ['MP3', '\u00ff\u00f3\u0084\u00c4'],
  ['Ogg', 'OggS'],
  ['FLAC', 'fLaC'],
  ['a JSON error with status 200', '{"error":"no"}'],
])('%s instead of pcm is a failure and not noise', async (_, start) => {
  vendor.server.next.push((response) =>
    response.end(Buffer.from(`${start}${'\u0000'.repeat(100)}`, 'latin1')),
  )
  expect(await fails(vendor.open())).toEqual({ error: speechError('engine_failed'), samples: 0 })
  expect(vendor.server.requests.length).toBe(1)
})

test('a stream of events instead of pcm is a failure', async () => {
  vendor.server.next.push((response) =>
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end('data: {"type":"speech.audio.delta"}'),
  )
  expect(await fails(vendor.open())).toEqual({ error: speechError('engine_failed'), samples: 0 })
})

test.each([
  ['no audio', ''],
  ['one byte', 'x'],
])('%s for words is a failure', async (_, bytes) => {
  vendor.server.next.push((response) => response.end(bytes))
  expect(await fails(vendor.open())).toEqual({ error: speechError('engine_failed'), samples: 0 })
})

test('audio that ends within a sample, or before the end of its WAV, was cut off', async () => {
  vendor.server.next.push(
    (response, pcm) => response.end(pcm.subarray(0, 1001)),
    (response, pcm) => {
      const samples = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2)
      response.end(encodeWav(samples, { sampleRateHz: 24_000 }).subarray(0, 1044))
    },
  )
  const engine = vendor.open()
  expect(await fails(engine)).toEqual({ error: speechError('engine_failed'), samples: 500 })
  expect(await fails(engine)).toEqual({ error: speechError('engine_failed'), samples: 500 })
  expect(vendor.server.requests.length).toBe(2)
})

test('a server that never stops is stopped', async () => {
  vendor.server.next.push(async (response) => {
    const minute = new Uint8Array(SERVER_RATE_HZ * 2 * 60)
    while (!response.destroyed) {
      response.write(minute)
      await new Promise((resolve) => response.once('drain', resolve).once('close', resolve))
    }
  })
  const { error, samples } = await fails(vendor.open())
  expect(error).toEqual(speechError('engine_failed'))
  expect(samples / SERVER_RATE_HZ).toBeGreaterThan(200)
  await vendor.server.closed
})
