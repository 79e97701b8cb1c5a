import { createRequire } from 'node:module'
import path from 'node:path'
import { EngineError } from './engine-error.ts'

/**
 * Creates a `require` for packages that an operator installs for an engine, from a directory, by default that of the
 * process.
 */
export function createEngineRequire(directory: string | undefined): NodeJS.Require {
  return createRequire(path.join(path.resolve(directory ?? '.'), 'package.json'))
}

/** Loads a package. @throws EngineError `not_installed` with its name if it is missing */
export function requirePackage<Module>(require: NodeJS.Require, name: string): Module {
  try {
    const module: Module = require(name)
    return module
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')
      throw new EngineError(
        'not_installed',
        `The engine needs the package ${name}, which is not installed`,
        error,
      )
    throw error
  }
}
