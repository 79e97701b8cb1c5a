import {
  modelsComplete,
  modelsDraw,
  modelsEmbed,
  modelsList,
  modelsModerate,
  modelsRetrieve,
  modelsUsage,
} from '../generated/routes.ts'
import type {
  Completion,
  CompletionRequest,
  EmbeddingList,
  EmbeddingRequest,
  ImageList,
  ImageRequest,
  Model,
  ModelList,
  ModelUsage,
  Moderation,
  ModerationRequest,
} from '../generated/types.ts'
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
  /** Embeds texts by an upstream of the server; 404 if none does so with this model, as for the three methods below. */
  embed(request: EmbeddingRequest, options?: RequestOptions): Pending<EmbeddingList>
  complete(request: CompletionRequest, options?: RequestOptions): Pending<Completion>
  moderate(request: ModerationRequest, options?: RequestOptions): Pending<Moderation>
  draw(request: ImageRequest, options?: RequestOptions): Pending<ImageList>
}

/** Creates the models namespace alone, for a smaller bundle. */
export function createModels(connection: Connection): Models {
  const transport = connect(connection)
  return {
    list: (options) => transport.send({ route: modelsList, options }),
    retrieve: (id, options) => transport.send({ route: modelsRetrieve, id, options }),
    usage: (query, options) => list(transport, { route: modelsUsage, query, options }),
    embed: (json, options) => transport.send({ route: modelsEmbed, json, options }),
    complete: (request, options) =>
      transport.send({ route: modelsComplete, json: { ...request, stream: false }, options }),
    moderate: (json, options) => transport.send({ route: modelsModerate, json, options }),
    draw: (json, options) => transport.send({ route: modelsDraw, json, options }),
  }
}
