import { constantBytesOf } from './constant-bytes.ts'
import { compile, Instance, Memory, type Program, type ProgramMemory, RuntimeError } from './web-assembly.ts'

/** A compiled program for WASI, which threads can share. */
export interface WasiCommand {
  program: Program
  /** Bytes at the beginning of its memory that it never writes: Flite's voices are 17 MB of constants. */
  constantBytes: number
}

export const compileCommand = async (bytes: Uint8Array<ArrayBuffer>): Promise<WasiCommand> => ({
  program: await compile(bytes),
  constantBytes: constantBytesOf(bytes),
})

/** A program for WASI that can be run again and again. */
export interface WasiProgram {
  /**
   * Runs the program and forgets the run: each begins with the memory of a fresh instance. Constants that a fault of the program has
   * overwritten are restored after at most a hundred runs.
   *
   * @throws RuntimeError if the program fails. The next run has a new instance.
   */
  run(parameters: readonly string[]): ProgramOutput
}

export interface ProgramOutput {
  /** What the program has printed. */
  printed: string
  /** The file that it has written. */
  file: Uint8Array<ArrayBuffer>
}

/** The descriptor of the folder `/`, in which the program opens its file. */
const FOLDER = 3
const FILE = 4
/** Numbers of `preview1`: https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md */
const SUCCESS = 0
const BAD_DESCRIPTOR = 8
const NOT_CAPABLE = 76
const FILE_TYPES: readonly number[] = [2, 2, 2, 3, 4]
const ALL_RIGHTS = 2n ** 64n - 1n

/** Runs after which all memory is restored. To copy Flite's 17 MB takes longer than to speak a short phrase. */
const RUNS_PER_RESTORE = 100

/**
 * Creates a program that sees nothing of the machine: it has its parameters, a clock that stands still, and one file, which it may only
 * write. `node:wasi` would give it a folder of the disk, and warns that it is experimental.
 */
export function createWasiProgram(command: WasiCommand): WasiProgram {
  let instance: RunnableInstance | undefined
  return {
    run(parameters) {
      const ran = (instance ??= createInstance(command))
      // An instance that has failed has an undefined stack.
      instance = undefined
      const output = ran.run(parameters)
      instance = ran
      return output
    },
  }
}

interface RunnableInstance {
  run(parameters: readonly string[]): ProgramOutput
}

function createInstance({ program, constantBytes }: WasiCommand): RunnableInstance {
  const host = createHost()
  const { exports } = new Instance(program, { wasi_snapshot_preview1: host.imports })
  const { memory, _start: start } = exports
  if (!(memory instanceof Memory) || typeof start !== 'function')
    throw new TypeError('The program is not a command of WASI')
  const fresh = new Uint8Array(memory.buffer).slice()
  let runs = 0
  return {
    run(parameters) {
      const finish = host.begin(memory, parameters)
      start()
      const output = finish()
      const bytes = new Uint8Array(memory.buffer)
      runs = (runs + 1) % RUNS_PER_RESTORE
      const from = runs === 0 ? 0 : constantBytes
      bytes.set(fresh.subarray(from), from)
      bytes.fill(0, fresh.length)
      return output
    },
  }
}

function createHost() {
  let memory = new Memory({ initial: 0 })
  let parameters: Uint8Array[] = []
  let printed = ''
  let pieces: Uint8Array<ArrayBuffer>[] = []
  const view = () => new DataView(memory.buffer)

  const imports = {
    ...describeDescriptors(view),
    ...passParameters(view, () => parameters),
    fd_write(descriptor: number, vectors: number, count: number, written: number) {
      let length = 0
      for (let vector = vectors; vector < vectors + 8 * count; vector += 8) {
        const address = view().getUint32(vector, true)
        const bytes = new Uint8Array(memory.buffer, address, view().getUint32(vector + 4, true)).slice()
        length += bytes.length
        if (descriptor === FILE) pieces.push(bytes)
        else printed += String.fromCharCode(...bytes)
      }
      view().setUint32(written, length, true)
      return SUCCESS
    },
    clock_time_get(_clock: number, _precision: bigint, time: number) {
      view().setBigUint64(time, 0n, true)
      return SUCCESS
    },
    proc_exit(code: number): number {
      throw new RuntimeError(`The program has ended with ${code}`)
    },
  }
  return {
    imports,
    begin(used: ProgramMemory, words: readonly string[]) {
      memory = used
      parameters = words.map((word) => new TextEncoder().encode(`${word}\0`))
      printed = ''
      pieces = []
      return (): ProgramOutput => ({ printed, file: join(pieces) })
    },
  }
}

/** The folder, and the file in it that the program may open and write. */
const describeDescriptors = (view: () => DataView) => ({
  fd_prestat_get(descriptor: number, prestat: number) {
    if (descriptor !== FOLDER) return BAD_DESCRIPTOR
    view().setUint8(prestat, 0)
    view().setUint32(prestat + 4, 1, true)
    return SUCCESS
  },
  fd_prestat_dir_name(_descriptor: number, name: number) {
    view().setUint8(name, '/'.charCodeAt(0))
    return SUCCESS
  },
  fd_fdstat_get(descriptor: number, status: number) {
    const type = FILE_TYPES[descriptor]
    if (type === undefined) return BAD_DESCRIPTOR
    view().setUint8(status, type)
    view().setUint16(status + 2, 0, true)
    view().setBigUint64(status + 8, ALL_RIGHTS, true)
    view().setBigUint64(status + 16, ALL_RIGHTS, true)
    return SUCCESS
  },
  path_open(...parameters: (number | bigint)[]) {
    view().setUint32(Number(parameters.at(-1)), FILE, true)
    return SUCCESS
  },
  fd_close: () => SUCCESS,
  fd_fdstat_set_flags: () => SUCCESS,
  fd_read: () => NOT_CAPABLE,
  fd_seek: () => NOT_CAPABLE,
})

const passParameters = (view: () => DataView, parameters: () => readonly Uint8Array[]) => ({
  args_sizes_get(count: number, size: number) {
    view().setUint32(count, parameters().length, true)
    view().setUint32(
      size,
      parameters().reduce((sum, { length }) => sum + length, 0),
      true,
    )
    return SUCCESS
  },
  args_get(addresses: number, buffer: number) {
    let at = buffer
    for (const [index, bytes] of parameters().entries()) {
      view().setUint32(addresses + 4 * index, at, true)
      new Uint8Array(view().buffer).set(bytes, at)
      at += bytes.length
    }
    return SUCCESS
  },
})

function join(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
