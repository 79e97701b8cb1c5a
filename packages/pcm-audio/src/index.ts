export { createFramer, type Framer } from './frame.ts'
export { pcm16Bytes } from './pcm16.ts'
export { createResampler, type Resampler } from './resample.ts'
export { encodeWav, WAV_HEADER_BYTES, wavHeader } from './wav.ts'
