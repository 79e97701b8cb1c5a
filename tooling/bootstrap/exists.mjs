import { access } from 'node:fs/promises'

/** @param {string} file */
export const exists = (file) =>
  access(file).then(
    () => true,
    () => false,
  )
