/** The part of WebAssembly that this package uses. Only the types of browsers have it, and they would bring all of the DOM. */
interface WebAssemblyApi {
  compile(bytes: Uint8Array<ArrayBuffer>): Promise<Program>
  Instance: new (
    program: Program,
    imports: Imports,
  ) => { readonly exports: Readonly<Record<string, unknown>> }
  Memory: new (size: { initial: number }) => ProgramMemory
  RuntimeError: new (message: string) => Error
}

/** A compiled program, which threads can share. */
export interface Program {
  readonly [Symbol.toStringTag]: 'WebAssembly.Module'
}

/** Memory of an instance, whose buffer is replaced when it grows. */
export interface ProgramMemory {
  readonly buffer: ArrayBuffer
}

type Imports = Readonly<Record<string, Readonly<Record<string, (...parameters: never[]) => number>>>>

declare const WebAssembly: WebAssemblyApi

export const { compile, Instance, Memory, RuntimeError } = WebAssembly
