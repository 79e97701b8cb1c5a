import { LIMITS } from '../shared/limits.ts'
import { defineRoute, type PartDefinition } from '../shared/route.ts'
import { formData } from '../shared/ts-rest.ts'
import { watermarkDetectionSchema } from './resources.ts'

const DETECT_PARTS = {
  audio: {
    kind: 'file',
    required: true,
    maxBytes: LIMITS.watermarkAudioBytes,
    mediaTypes: ['audio/wav', 'audio/mpeg', 'audio/ogg', 'audio/flac', 'audio/mp4', 'audio/webm'],
    description: `Recording of up to ${LIMITS.watermarkAudioSeconds} s. Five seconds of speech are enough to detect the watermark, ten to find the request.`,
  },
} as const satisfies Record<string, PartDefinition>

/** The watermark of synthesized speech. */
export const watermarkRoutes = {
  detect: defineRoute({
    operation: 'watermark.detect',
    method: 'POST',
    path: '/v1/engine/watermark/detect',
    summary: 'Detect the watermark',
    description:
      'Searches a recording for the watermark of this server, and finds the request that made the speech if the account made it.',
    scope: 'speech:write',
    limit: 'watermark_detection',
    concurrency: 'concurrent_streams',
    beyondSpecification: true,
    contentType: 'multipart/form-data',
    body: formData,
    parts: DETECT_PARTS,
    bodyLimitBytes: LIMITS.watermarkAudioBytes + LIMITS.jsonBodyBytes,
    success: { 200: watermarkDetectionSchema },
    errors: ['media_unreadable'],
  }),
} as const
