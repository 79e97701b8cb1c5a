import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Verification } from '@vaani/contracts'
import { createTestDatabase } from '@vaani/test-services'
import { makeVideo } from '@vaani/test-services/run-tool'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ServerProcess, startServerProcess } from './support/server-process.ts'
import { untilDecided } from './support/until-decided.ts'

const KEY = 'sk_test_identity_0123456789abcdef'

let folder: string
let processes: ServerProcess[] = []
let clean: () => Promise<void>
let environment: Record<string, string>

beforeEach(async () => {
  const database = await createTestDatabase()
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-identity-crash-'))
  environment = {
    DATABASE_URL: database.url,
    VAANI_DATA_DIR: folder,
    VAANI_BOOTSTRAP_API_KEY: KEY,
    VAANI_IDENTITY_POLICY: 'document-only',
  }
  clean = async () => {
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
})
afterEach(async () => {
  await Promise.all(processes.map((one) => one.kill('SIGKILL')))
  processes = []
  await clean()
})

async function start(): Promise<ServerProcess> {
  const server = await startServerProcess(environment)
  processes.push(server)
  return server
}

async function api<Body>(server: ServerProcess, route: string, body?: object): Promise<Body> {
  const response = await fetch(server.url + route, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${KEY}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as Body
}

describe('kill -9 while checks run', { tags: 'ffmpeg' }, () => {
  test('leaves nothing unencrypted, and another worker decides', async () => {
    const file = path.join(folder, 'video.mp4')
    const source = ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=15:duration=4']
    makeVideo(file, source)
    const specimens = path.resolve(import.meta.dirname, '../../../packages/identity-checks/specimens')
    const body = {
      front_image_b64: (await readFile(path.join(specimens, 'passport.jpg'))).toString('base64'),
      liveness_video_b64: (await readFile(file)).toString('base64'),
    }
    const first = await start()
    const { verification_id } = await api<Verification>(first, '/identity/kyc/v2', body)
    const untilAt = (server: ServerProcess, condition?: (verification: Verification) => boolean) =>
      untilDecided((route) => api(server, route), verification_id, condition)
    const partial = await untilAt(first, ({ scores }) => scores.document_quality !== undefined)
    expect(partial.status).toBe('pending')
    await first.kill('SIGKILL')

    const second = await start()
    const decided = await untilAt(second)
    expect(decided).toMatchObject({ status: 'approved' })
    // Only the empty folder of the live process and its lock remain.
    const left = await readdir(path.join(folder, 'unsealed'), { recursive: true })
    const [own = ''] = left.toSorted()
    expect(left.toSorted()).toEqual([own, `${own}.lock`])
  })
})
