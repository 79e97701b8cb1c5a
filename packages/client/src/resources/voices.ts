import { synthesisClone, voicesClone, voicesRoutes } from '../generated/routes.ts'
import type { Voice } from '../generated/types.ts'
import { type List, list } from '../streams/pages.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { upload } from '../upload/upload.ts'
import { formUpload, type UploadOptions } from '../upload/upload-body.ts'
import { type Body, connect, type Connection, methods, type Query } from './resource.ts'

/** Recordings of a speaker, who agrees that a voice is made of them. */
export type CloneVoiceRequest = Omit<Body<'voices.clone'>, 'consent'> & { readonly consent: true }

/** Cloned voices. */
export interface Voices {
  /**
   * Makes a voice from 1 to 5 recordings of 3 to 60 s.
   *
   * @example
   * await vaani.voices.clone({ name: 'Sita', consent: true, samples: ['sita-1.wav', 'sita-2.wav'] })
   */
  clone(request: CloneVoiceRequest, options?: RequestOptions & UploadOptions): Pending<Voice>
  /** The same, by the path of the synthesis engine. */
  cloneForSynthesis(request: CloneVoiceRequest, options?: RequestOptions & UploadOptions): Pending<Voice>
  list(query?: Query<'voices.list'>, options?: RequestOptions): List<Voice>
  /** Erases a voice and what it was made from. */
  remove(voiceId: string, options?: RequestOptions): Pending<void>
}

/** Voices alone, for a smaller bundle. */
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
