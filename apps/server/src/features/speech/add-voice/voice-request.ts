import { phraseOf } from '@vaani/contracts'
import { z } from 'zod'
import { AddVoiceError } from './add-voice-error.ts'
import { FAMILIES, KNOWN_VOICES, type KnownVoice, urlOf } from './known-voices.ts'

/** Options of `voices add`, as given. */
export interface VoiceOptions {
  from?: string | undefined
  url?: string | undefined
  sha256?: string | undefined
  family?: string | undefined
  languages?: string | undefined
  speakers?: string | undefined
}

export interface VoiceRequest extends Pick<KnownVoice, 'sha256' | 'family' | 'languages' | 'voices'> {
  /** Name of the engine and of its folder. */
  name: string
  /** Null if it is not known. */
  licence: string | null
  source: { file: string } | { url: string }
  maxBytes: number
}

/** Of an archive that is not known. */
const MAX_BYTES = 2e9

const isTag = (tag: string): boolean => /^[a-z]{2,3}(-[a-z0-9]{2,8})+$/i.test(tag)
const url = z
  .string()
  .refine((text) => /^https?:\/\/[^/]/.test(text) && URL.canParse(text), {
    error: 'must be an http(s) URL',
    abort: true,
  })
  .refine((text) => new URL(text).username === '' && new URL(text).password === '', {
    error:
      'must be one without a user name or a password: download the archive yourself, and give it with --from',
  })
/** The folder of the packages, beside those of voices. */
const RESERVED = 'packages'
const describedSchema = z.strictObject({
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, { error: 'must have 64 hexadecimal digits' })
    .toLowerCase(),
  family: z.enum(FAMILIES),
  languages: z
    .string()
    .transform((text) => text.split(','))
    .refine((tags) => tags.every(isTag), { error: 'must be tags with a region, as in ne-NP,hi-IN' }),
  speakers: z
    .string()
    .regex(/^\d{1,5},\d{1,5}$/, { error: 'must be the numbers of nova and atlas, as in 0,5' })
    .default('0,0'),
})

/** Fills in what is known of a voice, or reads the description of another. @throws AddVoiceError that names the option */
export function readVoiceRequest(name: string, options: VoiceOptions): VoiceRequest {
  const { from, url: given, ...description } = options
  checkName(name)
  if (from !== undefined && given !== undefined)
    throw new AddVoiceError('Give either --from or --url, not both')
  const address = read(z.object({ url: url.optional() }), { url: given }).url
  const known = Object.hasOwn(KNOWN_VOICES, name) ? KNOWN_VOICES[name] : undefined
  if (known !== undefined) {
    const [option] = Object.entries(description).find(([, value]) => value !== undefined) ?? []
    if (option !== undefined)
      throw new AddVoiceError(`${name} is known: leave out --${option}, or give your voice another name`)
    const source = from === undefined ? { url: address ?? urlOf(known) } : { file: from }
    return { ...known, name, source, maxBytes: known.megabytes * 1e6 }
  }
  if (from === undefined && address === undefined)
    throw new AddVoiceError(
      `${name} is not one of ${Object.keys(KNOWN_VOICES).join(', ')}. For another, give --url or --from, --sha256, --family and --languages`,
    )
  const { speakers, ...described } = read(describedSchema, description)
  const [nova = 0, atlas = 0] = speakers.split(',').map(Number)
  const source = from === undefined ? { url: address ?? '' } : { file: from }
  return { ...described, name, voices: { nova, atlas }, licence: null, source, maxBytes: MAX_BYTES }
}

function checkName(name: string): void {
  if (name === RESERVED)
    throw new AddVoiceError(`${RESERVED} is the folder of sherpa-onnx, so give your voice another name`)
  // JavaScript puts members whose names are numbers before all others, which would change the order of the engines.
  if (!/^(?!\d+$)[a-z0-9-]{1,64}$/.test(name))
    throw new AddVoiceError('a name must be 1 to 64 of a-z, 0-9 and -, not only digits')
}

function read<Schema extends z.ZodType>(schema: Schema, values: unknown): z.output<Schema> {
  const result = schema.safeParse(values, { error: phraseOf })
  if (result.success) return result.data
  throw new AddVoiceError(
    result.error.issues.map(({ path, message }) => `--${path.join('.')} ${message}`).join('; '),
  )
}
