/** Assembles src/resample/kernel.wat into src/resample/wasm-kernel-bytes.ts. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import loadWabt from 'wabt'

const folder = path.join(import.meta.dirname, '../src/resample')

/** Returns the source text of wasm-kernel-bytes.ts. */
export async function assembleKernel(): Promise<string> {
  const wabt = await loadWabt()
  const module = wabt.parseWat('kernel.wat', await readFile(path.join(folder, 'kernel.wat'), 'utf8'), {
    simd: true,
  })
  const { buffer } = module.toBinary({})
  return `/** ${buffer.length} bytes of WebAssembly, in base64: kernel.wat, assembled by scripts/build-kernel.ts. */
export const KERNEL_BASE64 =
  '${Buffer.from(buffer).toString('base64')}'
`
}

if (import.meta.main) await writeFile(path.join(folder, 'wasm-kernel-bytes.ts'), await assembleKernel())
