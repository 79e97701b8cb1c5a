import type { StoredContext } from '../context.ts'
import { cancelBatch, createBatch, retrieveBatch } from './routes/batches.ts'
import { readFile, removeFile, retrieveFile } from './routes/files.ts'
import { listBatches, listFiles } from './routes/list.ts'

/** Handlers of what upstreams keep, apart from the one that takes a form. */
export const storedHandlers = (context: StoredContext) => ({
  listFiles: listFiles(context),
  retrieveFile: retrieveFile(context),
  readFile: readFile(context),
  removeFile: removeFile(context),
  createBatch: createBatch(context),
  listBatches: listBatches(context),
  retrieveBatch: retrieveBatch(context),
  cancelBatch: cancelBatch(context),
})
