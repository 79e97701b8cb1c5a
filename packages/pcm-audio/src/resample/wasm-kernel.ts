import type { PolyphaseFilter } from './filter.ts'
import { BLOCK_SAMPLES, type FilterKernel, outputCapacity, runLoops } from './kernel.ts'
import { KERNEL_HEX } from './wasm-kernel-bytes.ts'

const PAGE_BYTES = 65_536
const WRONG_KERNEL =
  'The kernel of a resampler must be "auto", "plain", or the compiled module of @vaani/pcm-audio/resampler.wasm'

/** Types for the part of WebAssembly used here, because a program that compiles this source may have none. */
interface WasmEngine {
  validate(bytes: Uint8Array<ArrayBuffer>): boolean
  Module: {
    new (bytes: Uint8Array<ArrayBuffer>): object
    exports(module: object): readonly { name: string }[]
  }
  Instance: new (module: object) => { exports: { memory: WasmMemory; run: Run; runGroups: RunGroups } }
  CompileError: new () => Error
}
interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

type Run = (
  position: number,
  row: number,
  output: number,
  outputEnd: number,
  rowBytes: number,
  tapsEnd: number,
  positionStep: number,
  rowStep: number,
) => void

type RunGroups = (
  position: number,
  row: number,
  output: number,
  groups: number,
  rowBytes: number,
  inputStep: number,
  outputStep: number,
) => void

let compiled: object | false | undefined

/** Compiles the kernel's module. Returns false if SIMD is missing or compilation is not allowed. */
function compile({ validate, Module, CompileError }: WasmEngine): object | false {
  // Hexadecimal, because an AudioWorklet has no `atob`.
  const bytes = Uint8Array.from({ length: KERNEL_HEX.length / 2 }, (_, index) =>
    Number.parseInt(KERNEL_HEX.slice(2 * index, 2 * index + 2), 16),
  )
  if (!validate(bytes)) return false
  try {
    return new Module(bytes)
  } catch (error) {
    // A content security policy without 'wasm-unsafe-eval', or an edge runtime. The plain kernel is slower.
    if (error instanceof CompileError || error instanceof EvalError) return false
    throw error
  }
}

const wasmEngine = (): WasmEngine | undefined => {
  const scope: object = globalThis
  return Reflect.get(scope, 'WebAssembly')
}

/**
 * Returns the compiled module of this package, compiled here unless given; undefined if it cannot run.
 *
 * @throws TypeError if what is given is not that module
 */
export function findWasmModule(given?: object): object | undefined {
  const engine = wasmEngine()
  if (engine === undefined) return undefined
  if (given === undefined) return (compiled ??= compile(engine)) || undefined
  let names: readonly string[] = []
  try {
    names = engine.Module.exports(given).map(({ name }) => name)
  } catch {
    // Not a module.
  }
  if (!['memory', 'run', 'runGroups'].every((name) => names.includes(name))) throw new TypeError(WRONG_KERNEL)
  return given
}

/** Creates the kernel in WebAssembly with SIMD; undefined if there is no WebAssembly. */
export function createWasmKernel(filter: PolyphaseFilter, module: object): FilterKernel | undefined {
  const engine = wasmEngine()
  if (engine === undefined) return undefined
  const { up, down, length, taps } = filter
  const { memory, run, runGroups } = new engine.Instance(module).exports
  const outputs = outputCapacity(filter)
  const bytes = 4 * (taps.length + length + BLOCK_SAMPLES + outputs)
  memory.grow(Math.ceil(bytes / PAGE_BYTES))
  // Memory layout: the taps at 0, then the input, then the output.
  new Float32Array(memory.buffer).set(taps)
  const inputAt = taps.byteLength
  const input = new Float32Array(memory.buffer, inputAt, length + BLOCK_SAMPLES)
  const outputAt = inputAt + input.byteLength
  const rowBytes = 4 * length
  const positionStep = 4 * Math.floor(down / up)
  const rowStep = rowBytes * (down % up)
  return {
    input,
    output: new Float32Array(memory.buffer, outputAt, outputs),
    run: runLoops(filter, {
      groups: (position, phase, first, groups) =>
        runGroups(
          inputAt + 4 * position,
          phase * rowBytes,
          outputAt + 4 * first,
          groups,
          rowBytes,
          4 * down,
          4 * up,
        ),
      each: (position, phase, first, end) =>
        run(
          inputAt + 4 * position,
          phase * rowBytes,
          outputAt + 4 * first,
          outputAt + 4 * end,
          rowBytes,
          taps.byteLength,
          positionStep,
          rowStep,
        ),
    }),
  }
}
