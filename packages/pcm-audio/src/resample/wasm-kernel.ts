import type { PolyphaseFilter } from './filter.ts'
import { BLOCK_SAMPLES, type FilterKernel, outputCapacity } from './kernel.ts'
import { KERNEL_BASE64 } from './wasm-kernel-bytes.ts'

const PAGE_BYTES = 65_536

/** Types for the part of WebAssembly used here, because a program that compiles this source may have none. */
interface WasmEngine {
  validate(bytes: Uint8Array<ArrayBuffer>): boolean
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  Instance: new (module: object) => { exports: { memory: WasmMemory; run: Run; runGroups: RunGroups } }
  CompileError: new () => Error
}
interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

let compiled: object | false | undefined

/** Compiles the kernel's module. Returns false if SIMD is missing or compilation is not allowed. */
function compile({ validate, Module, CompileError }: WasmEngine): object | false {
  const bytes = Uint8Array.from(atob(KERNEL_BASE64), (character) => character.charCodeAt(0))
  if (!validate(bytes)) return false
  try {
    return new Module(bytes)
  } catch (error) {
    // A content security policy without 'wasm-unsafe-eval', or an edge runtime. The plain kernel gives the same samples.
    if (error instanceof CompileError || error instanceof EvalError) return false
    throw error
  }
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

/** Creates the kernel in WebAssembly with SIMD. Returns undefined if it cannot run. */
export function createWasmKernel(filter: PolyphaseFilter): FilterKernel | undefined {
  const scope: object = globalThis
  const engine: WasmEngine | undefined = Reflect.get(scope, 'WebAssembly')
  if (engine === undefined) return undefined
  compiled ??= compile(engine)
  if (compiled === false) return undefined
  const { up, down, length, taps } = filter
  const { memory, run: runEach, runGroups } = new engine.Instance(compiled).exports
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
    run(position, phase, count) {
      // Compute groups of four outputs of one phase as far as possible, and the rest one by one.
      const groups = Math.floor(count / (4 * up))
      const grouped = groups * 4 * up
      const phasesInGroups = groups === 0 ? 0 : up
      for (let first = 0; first < phasesInGroups; first++) {
        const phases = phase + first * down
        runGroups(
          inputAt + 4 * (position + Math.floor(phases / up)),
          (phases % up) * rowBytes,
          outputAt + 4 * first,
          groups,
          rowBytes,
          4 * down,
          4 * up,
        )
      }
      runEach(
        inputAt + 4 * (position + groups * 4 * down),
        phase * rowBytes,
        outputAt + 4 * grouped,
        outputAt + 4 * count,
        rowBytes,
        taps.byteLength,
        positionStep,
        rowStep,
      )
    },
  }
}
