import { z } from 'zod'
import { timeSchema } from '../shared/checks.ts'

export const watermarkDetectionSchema = z
  .object({
    detected: z
      .boolean()
      .meta({ description: 'Whether the recording carries the watermark of this server.' }),
    false_alarm_probability: z.number().min(0).max(1).meta({
      description:
        'Upper bound on the probability that a recording without the watermark fits as well. It is detected up to 0.0001 for each key of the server.',
    }),
    payload_read: z.boolean().meta({
      description:
        'Whether the identifier in the watermark was read with certainty, which takes more audio than detection.',
    }),
    request_id: z.string().nullable().meta({
      description:
        'Id of the request that made the speech. Null if the identifier was not read, or is none of this account and mode that the server still keeps.',
    }),
    created_at: timeSchema.nullable().meta({ description: 'Time of that request.' }),
    speed: z.number().positive().meta({
      description: 'How much faster than the original the recording runs: 1, or 0.94 to 1.06.',
    }),
    duration_seconds: z.number().min(0).meta({ description: 'Duration of the recording.' }),
  })
  .meta({
    id: 'WatermarkDetection',
    description:
      'Result of a search for the watermark. It is a hint, not proof: the watermark can be removed on purpose, so its absence says nothing.',
  })
export type WatermarkDetection = z.output<typeof watermarkDetectionSchema>
