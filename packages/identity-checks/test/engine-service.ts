/** A server of engines that know only colours, on a real socket, like one that an operator runs. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createVerifier } from '@vaani/webhook-verifier'
import sharp from 'sharp'
import type { RgbPicture } from '../src/image/rgb-picture.ts'
import { createEngine } from './colour-adapter.ts'

export const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'

export interface Received {
  readonly headers: IncomingMessage['headers']
  readonly body: string
}
type Answer = (response: ServerResponse) => unknown

export interface EngineService extends AsyncDisposable {
  readonly url: string
  readonly received: readonly Received[]
  /** Answers to the next requests, instead of the engine's. */
  readonly next: Answer[]
}

interface Member {
  jpeg_b64: string
  time_ms: number
}

async function toPicture({ jpeg_b64 }: Member): Promise<RgbPicture> {
  const image = sharp(Buffer.from(jpeg_b64, 'base64')).removeAlpha().raw()
  const { data, info } = await image.toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

const engine = createEngine()

async function answer(request: { kind: string; frames: Member[]; pictures: Member[] }): Promise<unknown> {
  if (request.kind === 'liveness') {
    const frames = request.frames.map(async (member) => ({
      picture: await toPicture(member),
      timeMs: member.time_ms,
    }))
    return engine.judge(await Promise.all(frames))
  }
  const { minConfidence, faces, ...rest } = await engine.detect(
    await Promise.all(request.pictures.map(toPicture)),
  )
  const pictures = faces.map((found) => ({
    faces: found.map((face) => ({ ...face, embedding: [...face.embedding] })),
  }))
  return { ...rest, min_confidence: minConfidence, pictures }
}

export async function startEngineService(): Promise<EngineService> {
  const verifier = createVerifier({ secrets: SECRET, requireTimestamp: true })
  const received: Received[] = []
  const next: Answer[] = []
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString()
    received.push({ headers: request.headers, body })
    const override = next.shift()
    if (override !== undefined) return override(response)
    const { ok } = await verifier.verifySignature(body, request.headers)
    response.statusCode = ok ? 200 : 401
    return response.end(ok ? JSON.stringify(await answer(JSON.parse(body))) : '')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port }: AddressInfo = JSON.parse(JSON.stringify(server.address()))
  return {
    url: `http://127.0.0.1:${port}/engine`,
    received,
    next,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
