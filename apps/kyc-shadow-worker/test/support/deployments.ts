import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createTestDatabase, programFile } from '@vaani/test-services'
import { findSpecimen, type RunningVaani, startServerProcess } from '@vaani/test-harness'

const SERVER = fileURLToPath(new URL('../../../server/src/testing/main.ts', import.meta.url))
/** Engines whose threads start with the first speech. They take longer to load than the rest of a server, and hardly any deployment speaks. */
export const SPEECH_ON_DEMAND = fileURLToPath(
  new URL('../../../server/test/support/speech-on-demand.json', import.meta.url),
)

export const KEY = 'sk_test_of_the_callers_0123456789'

/** Migrates the template that databases of deployments are copied from. */
async function migrateUrl(url: string): Promise<void> {
  const command = ['--conditions=vaani-source', programFile('server'), 'migrate']
  await promisify(execFile)(process.execPath, command, { env: { ...process.env, DATABASE_URL: url } })
}

/** Starts a deployment of the server in this repository, with a database of its own. Callers have the same key at all of them. */
export async function startDeployment(environment: Record<string, string> = {}): Promise<RunningVaani> {
  await using held = new AsyncDisposableStack()
  const database = held.use(await createTestDatabase({ template: { name: 'server', migrate: migrateUrl } }))
  const server = held.use(
    await startServerProcess(programFile('testing-server'), {
      postgres: database.url,
      environment: {
        VAANI_BOOTSTRAP_API_KEY: KEY,
        VAANI_SPEECH_ENGINES_FILE: SPEECH_ON_DEMAND,
        ...environment,
      },
    }),
  )
  const resources = held.move()
  return {
    ...server,
    stop: () => resources.disposeAsync(),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

export const specimenPath = (name: 'passport.jpg' | 'liveness.mp4'): string => findSpecimen(name, SERVER)

export interface Form {
  readonly type: string
  readonly body: Buffer
}

/** Makes a submission of version 1, of a person whose decision is known. */
export async function makeForm(externalId: string): Promise<Form> {
  const [front, video] = await Promise.all(
    (['passport.jpg', 'liveness.mp4'] as const).map((name) => readFile(specimenPath(name))),
  )
  const part = (name: string, more = ''): string =>
    `--b0undary\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
  const body = Buffer.concat(
    [
      part('external_id'),
      externalId,
      `\r\n${part('front_image', '; filename="a"')}`,
      front ?? '',
      `\r\n${part('back_image', '; filename="c"')}`,
      front ?? '',
      `\r\n${part('liveness_video', '; filename="b"')}`,
      video ?? '',
      '\r\n--b0undary--\r\n',
    ].map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  )
  return { type: 'multipart/form-data; boundary=b0undary', body }
}
