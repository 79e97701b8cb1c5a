/** Decoding of audio files. */
export { AudioError, type AudioErrorCode } from './audio-error.ts'
export { decodeAudio, type DecodeAudioOptions } from './decode-audio.ts'
export { type AudioType, sniffAudio } from './sniff-audio.ts'
