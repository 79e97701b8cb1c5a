import { synthesisClone, voicesClone, voicesRoutes } from '../generated/routes.ts'
import type { Voice } from '../generated/types.ts'
import { type List, list } from '../streams/pages.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { upload } from './upload.ts'
import { formUpload, type UploadOptions } from '../upload/upload-body.ts'
import { type Body, connect, type Connection, methods, type Query } from './resource.ts'

/** Recordings of a speaker who consents to the voice. */
export type CloneVoiceRequest = Omit<Body<'voices.clone'>, 'consent'> & { readonly consent: true }

/** Cloned voices. */
export interface Voices {
  /**
   * Creates a voice from 1 to 5 recordings of a consenting speaker, 3 to 60 s each.
   *
   * @example
   * await vaani.voices.clone({ name: 'Sita', consent: true, samples: ['sita-1.wav', 'sita-2.wav'] })
   */
  clone(request: CloneVoiceRequest, options?: RequestOptions & UploadOptions): Pending<Voice>
  /** Like `clone`, through the synthesis engine's route. */
  cloneForSynthesis(request: CloneVoiceRequest, options?: RequestOptions & UploadOptions): Pending<Voice>
  /** Lists the account's cloned voices, newest first. */
  list(query?: Query<'voices.list'>, options?: RequestOptions): List<Voice>
  /** Erases the voice and the samples that it was made from. */
  remove(voiceId: string, options?: RequestOptions): Pending<void>
}

/** Creates the voices namespace alone, for a smaller bundle. */
export function createVoices(connection: Connection): Voices {
  const transport = connect(connection)
  const cloneBy =
    (route: typeof voicesClone | typeof synthesisClone): Voices['clone'] =>
    ({ samples, ...fields }, options) =>
      upload(transport, route, formUpload, { media: { samples }, fields }, options)
  return {
    ...methods(transport, 'voices', voicesRoutes, list),
    clone: cloneBy(voicesClone),
    cloneForSynthesis: cloneBy(synthesisClone),
  }
}
