import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Project } from './package-metadata.ts'

export const readProject = (root: string): Project =>
  JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
