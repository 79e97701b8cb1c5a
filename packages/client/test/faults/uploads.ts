import { assert } from 'chai'
import {
  AbortedError,
  ApiError,
  type MediaSource,
  StalledStreamError,
  type UploadProgress,
} from '../../src/index.ts'
import { type Fault, failureOf, MEDIA, type Scene } from './fault.ts'
import { failure, hang, json, VERIFICATION } from './steps.ts'

const accepted = json(202, VERIFICATION)

/** Submits one source, checks that it arrived whole, and returns its size with the last reported total. */
async function submits({ vaani, server }: Scene, front_image: MediaSource) {
  let progress: UploadProgress | undefined
  await vaani.identity.submit(
    { front_image, liveness_video: new Uint8Array([1]), external_id: 'user-7' },
    { onProgress: (reported) => (progress = reported) },
  )
  const { body = '' } = (await server.seen()).at(-1) ?? {}
  const { front_image_b64, ...rest } = JSON.parse(body)
  assert.deepEqual(rest, { liveness_video_b64: 'AQ==', external_id: 'user-7' })
  const arrived = Uint8Array.from(atob(front_image_b64), (letter) => letter.charCodeAt(0))
  assert.strictEqual(arrived.length, MEDIA.length)
  assert(arrived.every((byte, index) => byte === MEDIA[index]))
  assert.strictEqual(progress?.sentBytes, body.length)
  return { totalBytes: progress?.totalBytes, sentBytes: body.length }
}

const blob = (): Blob => new Blob([MEDIA], { type: 'image/jpeg' })

/** Aborts once the source has been asked for this many pieces; the constructor of the stream asks for the first. */
async function abortsUpload({ vaani, server }: Scene, pieces: number): Promise<void> {
  const controller = new AbortController()
  const read = Promise.withResolvers<void>()
  const canceled = Promise.withResolvers<void>()
  let count = 0
  const front_image = new ReadableStream<Uint8Array>({
    pull(source) {
      if ((count += 1) >= pieces) return read.resolve()
      source.enqueue(MEDIA.subarray(0, 3000))
    },
    cancel: () => canceled.resolve(),
  })
  const { signal } = controller
  const failed = failureOf(
    vaani.identity.submit({ front_image, liveness_video: new Uint8Array(1) }, { signal }),
  )
  await read.promise
  controller.abort()
  assert(AbortedError.isInstance(await failed))
  await canceled.promise
  assert.lengthOf(await server.seen(), 0)
}

export const uploads: readonly Fault[] = [
  {
    name: 'An upload of bytes and of a blob: arrives whole, and its progress ends at its total',
    steps: [accepted],
    async check(scene) {
      for (const source of [MEDIA, MEDIA.buffer, blob()]) {
        const { totalBytes, sentBytes } = await submits(scene, source)
        assert.strictEqual(totalBytes, sentBytes)
      }
    },
  },
  {
    name: 'An upload of a stream: arrives whole, with progress but no total',
    steps: [accepted],
    async check(scene) {
      async function* pieces() {
        for (let at = 0; at < MEDIA.length; at += 7001) yield MEDIA.subarray(at, at + 7001)
      }
      for (const source of [blob().stream(), pieces()])
        assert.isNull((await submits(scene, source)).totalBytes)
    },
  },
  {
    name: 'An upload of a stream: sent while it is read',
    steps: [accepted],
    async check(scene) {
      async function* pieces() {
        yield MEDIA.subarray(0, 100_000)
        await scene.server.begun(1)
        yield MEDIA.subarray(100_000)
      }
      await submits(scene, pieces())
    },
  },
  {
    name: 'An upload by path: arrives whole',
    steps: [accepted],
    async check(scene) {
      const { totalBytes, sentBytes } = await submits(scene, scene.mediaPath)
      assert.strictEqual(totalBytes, sentBytes)
    },
  },
  {
    name: 'An upload by a path that does not exist: the file system error, and nothing is sent',
    steps: [accepted],
    async check(scene) {
      const error = await failureOf(submits(scene, `${scene.mediaPath}-missing`))
      assert(error instanceof Error)
      assert.propertyVal(error, 'code', 'ENOENT')
      assert.lengthOf(await scene.server.seen(), 0)
    },
  },
  {
    name: 'An upload, 503 once: resent whole',
    steps: [failure(503, 'service_unavailable'), accepted],
    async check(scene) {
      await submits(scene, blob())
      const [first, second, third] = await scene.server.seen()
      assert.strictEqual(first?.body, second?.body)
      assert.strictEqual(first?.headers['idempotency-key'], second?.headers['idempotency-key'])
      assert.isUndefined(third)
    },
  },
  {
    name: 'An upload from a stream, 503: not retried, because a stream cannot be sent twice',
    steps: [failure(503, 'service_unavailable')],
    async check(scene) {
      assert(ApiError.isInstance(await failureOf(submits(scene, blob().stream()))))
      assert.lengthOf(await scene.server.seen(), 1)
    },
  },
  {
    name: 'An upload whose source fails: the error of the source, not retried',
    steps: [accepted],
    async check(scene) {
      async function* pieces() {
        yield MEDIA
        throw new RangeError('the camera is gone')
      }
      const error = await failureOf(submits(scene, pieces()))
      assert(error instanceof RangeError)
      assert.lengthOf(await scene.server.seen(), 0)
    },
  },
  {
    name: 'An upload whose source stalls: a StalledStreamError at the idle limit, and the source is canceled',
    steps: [accepted],
    async check({ vaani, server, clock }) {
      const asked = Promise.withResolvers<void>()
      const canceled = Promise.withResolvers<void>()
      const front_image = new ReadableStream<Uint8Array>({
        start: (source) => source.enqueue(MEDIA),
        pull: () => asked.resolve(),
        cancel: () => canceled.resolve(),
      })
      const failed = failureOf(vaani.identity.submit({ front_image, liveness_video: new Uint8Array(1) }))
      await asked.promise
      await clock.untilSet(15_000)
      clock.advance(15_000)
      assert(StalledStreamError.isInstance(await failed))
      await canceled.promise
      assert.lengthOf(await server.seen(), 0)
    },
  },
  {
    name: 'A source of the wrong type: a TypeError that names its field, and nothing is sent',
    steps: [hang],
    async check({ vaani, server }) {
      const none: MediaSource = JSON.parse('null')
      const media = { front_image: MEDIA, back_image: MEDIA, liveness_video: MEDIA }
      const names = ['front_image', 'back_image', 'liveness_video'] as const
      for (const name of names)
        for (const submit of [vaani.identity.submit, vaani.identity.submitV1]) {
          const error = await failureOf(submit({ ...media, external_id: 'user-7', [name]: none }))
          assert(error instanceof TypeError)
          assert.include(error.message, `${name} must be`)
        }
      assert.lengthOf(await server.seen(), 0)
    },
  },
  {
    name: 'Abort while an upload is sent: an AbortedError at once, and the source is canceled',
    steps: [accepted],
    check: (scene) => abortsUpload(scene, 9),
  },
  {
    name: 'Abort before an upload starts: an AbortedError at once, and the source is canceled',
    steps: [accepted],
    check: (scene) => abortsUpload(scene, 1),
  },
]
