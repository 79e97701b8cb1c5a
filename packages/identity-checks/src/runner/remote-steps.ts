import type { CheckResult } from '../check.ts'
import type { EngineError } from '../engine/engine-error.ts'
import { kindOfEngine } from '../engine/engine-setting.ts'
import { checkFaces } from '../faces/check-faces.ts'
import type { FaceEngine } from '../faces/face-engine.ts'
import { createEngineServer, type EngineServer } from '../http/engine-server.ts'
import { facesOf, livenessOf } from '../http/http-engines.ts'
import { httpOptions } from '../http/options.ts'
import type { JpegPicture } from '../image/jpeg-picture.ts'
import { checkLiveness } from '../liveness/check-liveness.ts'
import type { LivenessEngine } from '../liveness/liveness-engine.ts'
import type { EngineSettings } from '../load-engines.ts'
import { FACE_SAMPLING, LIVENESS_SAMPLING } from '../video/read-frames.ts'
import type { CheckFiles, Findings, InputOf } from './job.ts'
import type { StepName } from './steps.ts'
import type { TakenPictures } from './take-pictures.ts'

/** A step that asks a server, and so runs in this process on pictures that another process has taken. */
export interface RemoteStep {
  pictures(files: CheckFiles, findings: Pick<Findings, 'frontTurnDegrees'>): InputOf<'take_pictures'>
  /** @throws EngineError */
  run(taken: TakenPictures): Promise<readonly CheckResult[]>
  /** Asks the server about no pictures. @throws EngineError */
  tryOut(): Promise<unknown>
}

export interface RemoteSteps extends AsyncDisposable {
  readonly steps: ReadonlyMap<StepName, RemoteStep>
  /** Settings of the engines that are loaded in the processes of the checks. They do not contain the secret. */
  readonly local: EngineSettings
}

/** @throws EngineError `setting_invalid` */
export function createRemoteSteps(settings: EngineSettings): RemoteSteps {
  const { face, liveness, photoReader, directory } = settings
  const servers: EngineServer[] = []
  const steps = new Map<StepName, RemoteStep>()
  const isRemote = (setting: string | undefined): setting is string =>
    setting !== undefined && kindOfEngine(setting) === 'http'
  const serverOf = (setting: string): EngineServer => {
    const server = createEngineServer(httpOptions(setting, settings))
    servers.push(server)
    return server
  }
  if (isRemote(face)) steps.set('faces', faceStep(facesOf(serverOf(face))))
  if (isRemote(liveness)) steps.set('liveness', livenessStep(livenessOf(serverOf(liveness))))
  return {
    steps,
    local: {
      ...(!isRemote(face) && { face }),
      ...(!isRemote(liveness) && { liveness }),
      photoReader,
      directory,
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) server.close()
    },
  }
}

const faceStep = (engine: FaceEngine<JpegPicture>): RemoteStep => ({
  pictures: (files, { frontTurnDegrees }) => ({
    video: files.livenessVideo,
    sampling: FACE_SAMPLING,
    portraits: { ...files, frontTurnDegrees },
  }),
  run: ({ frames, portraits }) =>
    checkFaces({
      engine,
      frames: frames && frames.map(({ picture }) => picture),
      readPortraits: async () => portraits,
    }),
  tryOut: () => engine.detect([]),
})

const livenessStep = (engine: LivenessEngine<JpegPicture>): RemoteStep => ({
  pictures: ({ livenessVideo: video }) => ({ video, sampling: LIVENESS_SAMPLING, portraits: null }),
  run: async ({ frames }) => [await checkLiveness(engine, frames)],
  tryOut: () => engine.judge([]),
})

/** Returns the code of a check whose engine threw. */
export const codeOfFault = ({ code }: EngineError): string =>
  code === 'unavailable' ? 'engine_unavailable' : 'check_failed'
