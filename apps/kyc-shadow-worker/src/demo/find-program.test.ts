import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { installServer, ServerMissingError } from './find-program.ts'

test('a server that npm cannot install is named, with the command that installs it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-demo-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  vi.stubEnv('PATH', '')
  onTestFinished(() => void vi.unstubAllEnvs())
  const failed = installServer(path.join(folder, 'server'))
  await expect(failed).rejects.toThrow(ServerMissingError)
  await expect(failed).rejects.toThrow(/^npm could not fetch @vaani\/server\..*: npm install @vaani\/server$/)
})
