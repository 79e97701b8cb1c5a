/** A family of models that one archive has all files of. Piper models belong to `vits`. */
export const FAMILIES = ['vits', 'kokoro', 'kitten'] as const
export type ModelFamily = (typeof FAMILIES)[number]

export type LanguageRow = string | { tag: string; quality: 'fallback'; note: string }

/** A model that can be added by its name. */
export interface KnownVoice {
  /** Its name among the releases of sherpa-onnx, without `.tar.bz2`. */
  archive: string
  sha256: string
  /** Size of the archive in units of 1,000,000 bytes, rounded up. */
  megabytes: number
  family: ModelFamily
  languages: readonly LanguageRow[]
  /** Numbers of the model's speakers. */
  voices: { nova: number; atlas: number }
  /** Licence of the weights, and of the recordings that they were trained on if that is another. */
  licence: string
}

const AMERICAN = [
  'en-US',
  { tag: 'en-GB', quality: 'fallback', note: 'Spoken with an American accent' },
  { tag: 'en-AU', quality: 'fallback', note: 'Spoken with an American accent' },
] as const
const FIRST_SPEAKER = { nova: 0, atlas: 0 }
/** `af_bella` and `am_michael`. */
const KOKORO_SPEAKERS = { nova: 1, atlas: 6 }

/**
 * Models whose weights, recordings and ancestors all have open licences. Most Piper models are not here because they were fine-tuned
 * from `lessac` or `ryan`, whose recordings are for research or not for commercial use.
 *
 * Sources. Checksums and sizes: what GitHub's API reports for the release, as recorded in models.json of
 * https://github.com/AACTools/sherpa-onnx-tts-models at 3488e14; other public repositories pin the same checksum for each archive but
 * those of `piper-ne-google` and `piper-uk`. Numbers of speakers: static_recipes.py of octomil/octomil-python (Kokoro) and
 * neural_voices.dart of tahuffman1s/OpenWord (Kitten). Licences: as public repositories quote the models' cards, which for Piper are at
 * https://huggingface.co/rhasspy/piper-voices.
 */
export const KNOWN_VOICES: Readonly<Record<string, KnownVoice>> = {
  'kokoro-en': {
    archive: 'kokoro-en-v0_19',
    sha256: '912804855a04745fa77a30be545b3f9a5d15c4d66db00b88cbcd4921df605ac7',
    megabytes: 320,
    family: 'kokoro',
    languages: AMERICAN,
    voices: KOKORO_SPEAKERS,
    licence: 'Apache-2.0',
  },
  'kokoro-en-int8': {
    archive: 'kokoro-int8-en-v0_19',
    sha256: 'c9f0dd393615805b0bab050c340834d5e684e732aec91c0e860cd30e982c08bd',
    megabytes: 104,
    family: 'kokoro',
    languages: AMERICAN,
    voices: KOKORO_SPEAKERS,
    licence: 'Apache-2.0',
  },
  'kitten-en': {
    archive: 'kitten-nano-en-v0_8-fp32',
    sha256: '16092117bfe591ddcd58d078e1454603b8e1caea46f85653b2c2efae76bd883e',
    megabytes: 64,
    family: 'kitten',
    languages: AMERICAN,
    voices: { nova: 1, atlas: 0 },
    licence: 'Apache-2.0',
  },
  'piper-en-ljspeech': {
    archive: 'vits-piper-en_US-ljspeech-high',
    sha256: '00c6408d2409050312193b0d40ae07fde28af7d3d45a56efcc55440db516b935',
    megabytes: 116,
    family: 'vits',
    languages: AMERICAN,
    voices: FIRST_SPEAKER,
    licence: 'MIT, recordings in the public domain',
  },
  'piper-en-cori': {
    archive: 'vits-piper-en_GB-cori-high',
    sha256: '42922f07738fcde2e49eed4e959635692f73b933de35a6b7c1010162ff566292',
    megabytes: 116,
    family: 'vits',
    languages: ['en-GB'],
    voices: FIRST_SPEAKER,
    licence: 'MIT, recordings in the public domain',
  },
  'piper-es-carlfm': {
    archive: 'vits-piper-es_ES-carlfm-x_low',
    sha256: '15585c5add2ab1915ce69e8c966c7c9fb0b6afb21f9b92f18110fda5a4787f99',
    megabytes: 27,
    family: 'vits',
    languages: ['es-ES'],
    voices: FIRST_SPEAKER,
    licence: 'MIT, recordings in the public domain',
  },
  'piper-ne-google': {
    archive: 'vits-piper-ne_NP-google-x_low',
    sha256: '135690fa3b6d43fe8c5f270c7bbb3fa927eed0a98d6ac07494a7ec70e7607ede',
    megabytes: 34,
    family: 'vits',
    languages: ['ne-NP'],
    voices: FIRST_SPEAKER,
    licence: 'MIT, recordings CC-BY-SA-4.0 (OpenSLR 43)',
  },
  'piper-uk': {
    archive: 'vits-piper-uk_UA-ukrainian_tts-medium',
    sha256: '92be6ff21ebb1cbcc0c71121a6437db8d060cee5785287aaa6a19a2548f59c03',
    megabytes: 81,
    family: 'vits',
    languages: ['uk-UA'],
    voices: { nova: 0, atlas: 1 },
    licence: 'MIT, recordings CC0-1.0',
  },
}

export const urlOf = ({ archive }: KnownVoice): string =>
  `https://github.com/k2-fsa/sherpa-onnx/releases/download/tts-models/${archive}.tar.bz2`
