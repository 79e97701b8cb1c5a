import { doNotCallExportCsv, doNotCallExportCsvForAll, doNotCallRoutes } from '../generated/routes.ts'
import type {
  AddListedNumberRequest,
  ImportListedNumbersRequest,
  ListedNumber,
  ListedNumbersImport,
} from '../generated/types.ts'
import { type MediaFile, readMedia } from '../streams/media-file.ts'
import { type List, list } from '../streams/pages.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { connect, type Connection, methods, type Query } from './resource.ts'

/** Numbers that are never called. The methods that end in `ForAll` are for operators: their list holds for every account of the server. */
export interface DoNotCall {
  /**
   * Puts a number on the account's list. One that is on it already is returned as it is.
   *
   * @example
   * await vaani.doNotCall.add({ phone_number: '+9779812345678', reason: 'Asked on the phone' })
   */
  add(number: AddListedNumberRequest, options?: RequestOptions): Pending<ListedNumber>
  /**
   * Lists the account's numbers, newest first, or looks one up.
   *
   * @example
   * const { data } = await vaani.doNotCall.list({ phone_number: '+9779812345678' })
   */
  list(query?: Query<'doNotCall.list'>, options?: RequestOptions): List<ListedNumber>
  remove(listedNumberId: string, options?: RequestOptions): Pending<void>
  /** Adds the numbers of a CSV file of at most 10,000 lines. Lines that are right are imported even if others are refused. */
  importCsv(file: ImportListedNumbersRequest, options?: RequestOptions): Pending<ListedNumbersImport>
  /** Returns the list as a CSV file. */
  exportCsv(options?: RequestOptions): Pending<MediaFile>
  addForAll(number: AddListedNumberRequest, options?: RequestOptions): Pending<ListedNumber>
  listForAll(query?: Query<'doNotCall.listForAll'>, options?: RequestOptions): List<ListedNumber>
  removeForAll(listedNumberId: string, options?: RequestOptions): Pending<void>
  importCsvForAll(file: ImportListedNumbersRequest, options?: RequestOptions): Pending<ListedNumbersImport>
  exportCsvForAll(options?: RequestOptions): Pending<MediaFile>
}

/** Creates the do-not-call namespace alone, for a smaller bundle. */
export function createDoNotCall(connection: Connection): DoNotCall {
  const transport = connect(connection)
  const exportBy =
    (route: typeof doNotCallExportCsv | typeof doNotCallExportCsvForAll): DoNotCall['exportCsv'] =>
    (options) =>
      transport.send({ route, accept: 'text/csv', options, read: readMedia })
  return {
    ...methods(transport, 'doNotCall', doNotCallRoutes, list),
    exportCsv: exportBy(doNotCallExportCsv),
    exportCsvForAll: exportBy(doNotCallExportCsvForAll),
  }
}
