import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Fence } from './read-fences.ts'

/** A fence, and the package whose README contains it. */
export interface Place {
  readonly directory: string
  readonly fence: Fence
}

/** As strict as our own code, except that examples may have unused results, and that the reader's libraries are not checked. */
const compilerOptions = {
  lib: ['es2024', 'esnext.disposable', 'esnext.array', 'dom', 'dom.iterable', 'dom.asynciterable'],
  noUnusedLocals: false,
  noUnusedParameters: false,
  skipLibCheck: true,
}

/** Compiles each fence as a module of its package. @returns errors, at their lines in the README */
export async function compileFences(root: string, places: readonly Place[]): Promise<string[]> {
  const files = new Map(
    places.map((place, index) => [
      path.posix.join(place.directory, `.readme-fence-${process.pid}-${index}.ts`),
      place,
    ]),
  )
  const configuration = path.join(root, `.readme-fences-${process.pid}.tsconfig.json`)
  try {
    for (const [file, { fence }] of files) await writeFile(path.join(root, file), `${fence.text}\nexport {}`)
    await writeFile(
      configuration,
      JSON.stringify({ extends: './tooling/tsconfig/base.json', compilerOptions, files: [...files.keys()] }),
    )
    const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [compiler, '-p', configuration, '--pretty', 'false'],
      { cwd: root },
    ).catch((error: unknown) => {
      if (error instanceof Error && 'stdout' in error) return { stdout: String(error.stdout) }
      throw error
    })
    return stdout.split('\n').flatMap((line) => {
      // Continuation lines of an error are indented.
      if (line === '' || line.startsWith(' ')) return []
      const [, file, row = '', message = ''] = /^(.+?)\((\d+),\d+\): (.*)$/.exec(line) ?? []
      if (file === undefined) return [line]
      const place = files.get(file)
      // Sources are compiled by another check with their own libraries.
      if (place === undefined) return []
      return [`${place.directory}/README.md:${place.fence.line + Number(row)}: ${message}`]
    })
  } finally {
    await Promise.all([...files.keys()].map((file) => rm(path.join(root, file), { force: true })))
    await rm(configuration, { force: true })
  }
}
