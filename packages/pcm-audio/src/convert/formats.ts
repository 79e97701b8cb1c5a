import { f32be, f32le, f64be, f64le } from './float.ts'
import { alaw, mulaw } from './g711.ts'
import { s16be, s16le } from './s16.ts'
import { s24be, s24le } from './s24.ts'
import { s32be, s32le } from './s32.ts'
import type { SampleFormat, SampleFormatName } from './sample-format.ts'
import { u8 } from './u8.ts'

/** All formats by name, for programs that get the name at run time. */
export const sampleFormats: Readonly<Record<SampleFormatName, SampleFormat>> = {
  u8,
  s16le,
  s16be,
  s24le,
  s24be,
  s32le,
  s32be,
  f32le,
  f32be,
  f64le,
  f64be,
  mulaw,
  alaw,
}
