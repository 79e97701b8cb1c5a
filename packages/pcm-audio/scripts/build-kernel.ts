/** Assembles src/resample/kernel.wat into src/resample/resampler.wasm and src/resample/wasm-kernel-bytes.ts. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import loadWabt from 'wabt'

const folder = path.join(import.meta.dirname, '../src/resample')

/** Returns the contents of resampler.wasm and wasm-kernel-bytes.ts. */
export async function assembleKernel(): Promise<{ wasm: Uint8Array; source: string }> {
  const wabt = await loadWabt()
  const module = wabt.parseWat('kernel.wat', await readFile(path.join(folder, 'kernel.wat'), 'utf8'), {
    simd: true,
  })
  const { buffer: wasm } = module.toBinary({})
  const source = `/** resampler.wasm, ${wasm.length} bytes, in hexadecimal: kernel.wat, assembled by scripts/build-kernel.ts. */
export const KERNEL_HEX =
  '${Buffer.from(wasm).toString('hex')}'
`
  return { wasm, source }
}

if (import.meta.main) {
  const { wasm, source } = await assembleKernel()
  await writeFile(path.join(folder, 'resampler.wasm'), wasm)
  await writeFile(path.join(folder, 'wasm-kernel-bytes.ts'), source)
}
