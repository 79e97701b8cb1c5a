import { modelsList, modelsRetrieve, modelsUsage } from '../generated/routes.ts'
import type { Model, ModelList, ModelUsage } from '../generated/types.ts'
import { type List, list } from '../streams/pages.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { connect, type Connection, type Query } from './resource.ts'

/** Hosted models, and what the account uses of them. */
export interface Models {
  /** Lists the names that requests may use as `model`. */
  list(options?: RequestOptions): Pending<ModelList>
  retrieve(model: string, options?: RequestOptions): Pending<Model>
  /**
   * Lists requests and tokens by day in UTC and chat model, newest day first.
   *
   * @example
   * for await (const { date, model, total_tokens } of vaani.models.usage({ from: '2026-11-01' })) report(date, model, total_tokens)
   */
  usage(query?: Query<'models.usage'>, options?: RequestOptions): List<ModelUsage>
}

/** Creates the models namespace alone, for a smaller bundle. */
export function createModels(connection: Connection): Models {
  const transport = connect(connection)
  return {
    list: (options) => transport.send({ route: modelsList, options }),
    retrieve: (id, options) => transport.send({ route: modelsRetrieve, id, options }),
    usage: (query, options) => list(transport, { route: modelsUsage, query, options }),
  }
}
