import { execFile } from 'node:child_process'
import { copyFile, cp, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { DOCUMENT_FILE, fileOfPackage } from './document.ts'

const run = promisify(execFile)
const LIMIT_MS = 120_000
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024

const answerSchema = z.object({
  method: z.string(),
  path: z.string(),
  status: z.number(),
  /** Null if it is not JSON. */
  body: z.unknown(),
})
/** A response that the integrator received. */
export type ReceivedAnswer = z.infer<typeof answerSchema>

export interface TourSettings {
  readonly baseUrl: string
  readonly apiKey: string
  readonly imageFile: string
  /** WAV file of a speaker. */
  readonly recordingFile: string
  readonly videoFile: string
  /** Address that receives webhooks. */
  readonly receiverUrl: string
}

/** A third-party project that has nothing of ours except the OpenAPI document. */
export interface Integrator extends AsyncDisposable {
  /** Generates a client from the document with `@hey-api/openapi-ts`. */
  generateClient(): Promise<void>
  /** @throws Error with the errors of the strict compiler */
  checkTypes(): Promise<void>
  /** Runs `integrator/tour.ts` and returns every response in order. @throws Error if the tour fails */
  takeTour(settings: TourSettings): Promise<ReceivedAnswer[]>
}

/** Sets up the project in a separate folder, which is removed when it is disposed. */
export async function createIntegrator(): Promise<Integrator> {
  const directory = await mkdtemp(path.join(import.meta.dirname, '.integrator-'))
  await cp(path.join(import.meta.dirname, 'integrator'), directory, { recursive: true })
  await copyFile(DOCUMENT_FILE, path.join(directory, 'openapi.json'))
  const node = async (file: string, parameters: string[], environment = {}): Promise<string> => {
    const { stdout } = await run(process.execPath, [file, ...parameters], {
      cwd: directory,
      env: { PATH: process.env['PATH'], ...environment },
      timeout: LIMIT_MS,
      maxBuffer: MAX_OUTPUT_BYTES,
    }).catch((error: Error & { stdout?: string; stderr?: string }) => {
      throw new Error(`${path.basename(file)}: ${error.stderr || error.stdout || error.message}`)
    })
    return stdout
  }
  return {
    async generateClient() {
      await node(fileOfPackage('@hey-api/openapi-ts', 'bin/run.js'), ['--no-log-file', '--silent'])
    },
    async checkTypes() {
      await node(fileOfPackage('typescript', 'bin/tsc'), ['-p', '.'])
    },
    async takeTour({ baseUrl, apiKey, imageFile, recordingFile, videoFile, receiverUrl }) {
      const output = await node('tour.ts', [], {
        BASE_URL: baseUrl,
        API_KEY: apiKey,
        IMAGE_FILE: imageFile,
        RECORDING_FILE: recordingFile,
        VIDEO_FILE: videoFile,
        RECEIVER_URL: receiverUrl,
      })
      return output
        .trim()
        .split('\n')
        .map((line) => answerSchema.parse(JSON.parse(line)))
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  }
}
