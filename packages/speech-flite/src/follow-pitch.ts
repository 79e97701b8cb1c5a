/**
 * Offsets in a `cst_cg_db` with 32-bit pointers, the record of a speaker, from its sample rate on:
 * https://github.com/festvox/flite/blob/master/include/cst_cg.h
 */
const OFFSETS = { meanHz: 4, deviationHz: 8, spamF0: 136, gain: 140 } as const
/** What tells the record of `rms` from those of the others, and shows that the offsets hold. */
const RMS = { sampleRateHz: 16_000, meanHz: 98, deviationHz: 24, spamF0: 1, gain: 1.5 } as const

/**
 * Makes Flite's speaker `rms` follow a pitch, in place. Flite moves the pitch of every speaker to the one that is asked for. For
 * `rms` alone, whose record sets `spamf0`, it then replaces the result with the curve of a second model, which takes no pitch. This clears
 * `spamf0`.
 *
 * @param program - Flite's module for WASI
 * @throws TypeError if it does not have the record exactly once
 */
export function letRmsFollowPitch(program: Uint8Array<ArrayBuffer>): void {
  const bytes = Buffer.from(program.buffer, program.byteOffset, program.byteLength)
  const head = Buffer.alloc(OFFSETS.deviationHz + 4)
  head.writeInt32LE(RMS.sampleRateHz)
  head.writeFloatLE(RMS.meanHz, OFFSETS.meanHz)
  head.writeFloatLE(RMS.deviationHz, OFFSETS.deviationHz)
  const at = bytes.indexOf(head)
  const isKnown =
    at >= 0 &&
    bytes.indexOf(head, at + 1) < 0 &&
    at + OFFSETS.gain + 4 <= bytes.length &&
    bytes.readInt32LE(at + OFFSETS.spamF0) === RMS.spamF0 &&
    bytes.readFloatLE(at + OFFSETS.gain) === RMS.gain
  if (!isKnown) throw new TypeError('The program is not Flite with the speaker rms')
  bytes.writeInt32LE(0, at + OFFSETS.spamF0)
}
