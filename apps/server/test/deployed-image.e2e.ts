/** The compose manifest as it is answered, started by `docker-compose` on a Docker engine from an image of the packed server. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { DeploymentResource } from '@vaani/contracts'
import { describe, expect, test } from 'vitest'
import { buildServerImage } from './support/server-image.ts'
import { startTestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

const run = promisify(execFile)
const ADDRESS = 'http://127.0.0.1:8080'
const START_MS = 100_000

/** Sends a request to the server in the container; status 0 while it does not listen. */
async function speak(key: string, model: string): Promise<{ status: number; body: Buffer }> {
  try {
    const response = await fetch(`${ADDRESS}/v1/engine/synthesize`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, text: 'Good morning.' }),
    })
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) }
  } catch {
    return { status: 0, body: Buffer.alloc(0) }
  }
}

describe('with Docker and docker-compose', { tags: ['containers', 'docker-compose'] }, () => {
  test(
    'the compose manifest starts a server that its license authenticates',
    { timeout: 600_000 },
    async () => {
      await using held = new AsyncDisposableStack()
      const image = held.use(await buildServerImage())
      const issuer = held.use(await startTestServer({ config: { deployImage: image.name } }))
      const { key } = await issuer.createAccount({ tier: 'enterprise' })
      const { body } = await issuer.json<DeploymentResource & { license: string; manifest: string }>(
        '/enterprise/deploy',
        { key, body: { name: 'speech', base_model: 'synth-l1', target: 'docker' } },
      )
      const folder = await mkdtemp(path.join(tmpdir(), 'vaani-compose-'))
      held.defer(() => rm(folder, { recursive: true, force: true }))
      await writeFile(path.join(folder, 'compose.yaml'), body.manifest, { mode: 0o600 })
      const compose = (...given: string[]) =>
        run('docker-compose', ['--project-name', path.basename(folder).toLowerCase(), ...given], {
          cwd: folder,
        })
      held.defer(async () => {
        await compose('down', '--volumes', '--timeout', '10')
      })
      await compose('up', '--detach')
      const spoken = await until(
        () => speak(body.license, 'synth-l1'),
        ({ status }) => status === 200,
        { withinMs: START_MS },
      )
      expect(spoken.body.toString('latin1', 0, 4)).toBe('RIFF')
      const refused = await speak(body.license, 'synth-v1')
      expect([refused.status, JSON.parse(refused.body.toString())]).toMatchObject([
        403,
        { error: { code: 'forbidden', param: 'model' } },
      ])
      expect((await speak(key, 'synth-l1')).status).toBe(401)
    },
  )
})
